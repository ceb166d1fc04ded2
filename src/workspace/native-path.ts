// Paths as other shells on Windows spell them.

const ALIAS = /^[/\\](?:cygdrive[/\\]|mnt[/\\])?([a-z])(?=[/\\]|$)/i

/** On Windows `/c/w`, `/cygdrive/c/w` and `/mnt/c/w` (Git Bash, Cygwin, WSL) are `C:\w`; elsewhere nothing changes. */
export function nativePath(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return path
  const drive = ALIAS.exec(path)
  if (!drive?.[1]) return path
  return `${drive[1].toUpperCase()}:\\${path.slice(drive[0].length + 1).replaceAll('/', '\\')}`
}
