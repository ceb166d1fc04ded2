import { describe, expect, it } from 'vitest'
import { shellCandidates, shellProgram, wrappedProgram } from '#workspace/shell-program.ts'

describe('shell program', () => {
  it('prefers bash to sh, and on Windows the newer PowerShell', () => {
    expect(shellCandidates('linux')).toEqual(['bash', 'sh'])
    expect(shellCandidates('darwin')).toEqual(['bash', 'sh'])
    expect(shellCandidates('win32')).toEqual(['pwsh', 'powershell'])
  })

  it('hands the command over as one argument', () => {
    const command = `echo "$1" '; exit 3`
    expect(shellProgram('bash', command).args.slice(-3)).toEqual(['bash', '-c', command])
    expect(shellProgram('sh', command).args.slice(-3)).toEqual(['sh', '-c', command])
    expect(wrappedProgram(command).args.at(-1)).toBe(command)
  })

  it('encodes for PowerShell, keeps the exit code, reads no profile', () => {
    const command = 'Write-Output "%PATH% & \'x\' 漢"\nnpm test'
    const { file, args } = shellProgram('pwsh', command)
    expect(file).toBe('pwsh')
    expect(args).toContain('-NoProfile')
    expect(args.at(-2)).toBe('-EncodedCommand')
    const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le')
    expect(script).toContain(`& {\n${command}\n} 2>&1`)
    expect(script).toContain('exit $LASTEXITCODE')
    expect(args.at(-1)).toMatch(/^[A-Za-z0-9+/=]+$/)
  })
})
