// Paths that Windows takes for other files than they seem to name.

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i
const DRIVE = /^[a-z]:[/\\]/i
const UNIX_ALIAS = /^[/\\](?:[a-z]|cygdrive[/\\][a-z]|mnt[/\\][a-z])(?:[/\\]|$)/i

/**
 * Pure, on any platform. `path` is absolute. Such a path is never judged to be inside: device and verbatim prefixes,
 * shares, drive-relative paths, aliases of other shells for drives (`/c/x`), alternate streams, reserved names, and
 * names that end with a dot or a space.
 */
export function isTreacherousWindowsPath(path: string): boolean {
  if (UNIX_ALIAS.test(path) || !DRIVE.test(path)) return true
  return path
    .slice(3)
    .split(/[/\\]/)
    .some(
      (segment) => /[:*?"<>|\u0000-\u001f]/.test(segment) || /[. ]$/.test(segment) || DEVICE.test(segment),
    )
}
