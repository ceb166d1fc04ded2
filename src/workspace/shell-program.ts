// Which program runs a command line on which system, and how the command is handed to it.

export type ShellName = 'bash' | 'sh' | 'pwsh' | 'powershell'

export interface Program {
  file: string
  args: string[]
}

/** In the order of preference. */
export function shellCandidates(platform: NodeJS.Platform): ShellName[] {
  return platform === 'win32' ? ['pwsh', 'powershell'] : ['bash', 'sh']
}

/**
 * Both streams come out as one. POSIX: an outer sh joins them and becomes the shell proper; the command stays one
 * argument. PowerShell: encoded, because nothing else survives its command line unchanged.
 */
export function shellProgram(shell: ShellName, command: string): Program {
  switch (shell) {
    case 'bash':
    case 'sh':
      return { file: 'sh', args: ['-c', 'exec "$@" 2>&1', 'sh', shell, '-c', command] }
    case 'pwsh':
    case 'powershell':
      return {
        file: shell,
        args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded(command)],
      }
  }
}

/** A line that is a command of its own already (a confined one), both streams joined. */
export function wrappedProgram(line: string): Program {
  return { file: 'sh', args: ['-c', 'exec 2>&1; eval "$1"', 'sh', line] }
}

function encoded(command: string): string {
  const script = [
    "$ProgressPreference = 'SilentlyContinue'",
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    `& {\n${command}\n} 2>&1`,
    '$succeeded = $?',
    'if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }',
    'if (-not $succeeded) { exit 1 }',
  ].join('\n')
  return Buffer.from(script, 'utf16le').toString('base64')
}
