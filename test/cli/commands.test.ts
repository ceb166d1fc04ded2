import { describe, expect, it } from 'vitest'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { EXIT_CODES } from '#cli/run.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { BIN, commandNames, ROOT, runBin } from './run-bin.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

describe('the command line', () => {
  it('says its version', async () => {
    expect(await runBin(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('has one screen of help', async () => {
    const { code, stdout, stderr } = await runBin(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of ['acp', 'demo', 'replay', 'doctor']) expect(stdout).toContain(name)
    expect(stdout.split('\n').length).toBeLessThan(30)
  })

  it.each([40, 60, 80, 200])(
    'fits a terminal of %i columns, nothing at the ends of lines',
    async (columns) => {
      const commands = await commandNames()
      expect(commands.length).toBeGreaterThan(8)
      for (const args of [['--help'], ...commands.map((name) => [name, '--help'])]) {
        const { stdout } = await runBin(args, { env: { COLUMNS: String(columns) } })
        const lines = stdout.split('\n')
        // A word that is longer than the line, such as the values of an option, is not broken.
        expect(lines.filter((line) => line.length > columns && /\S\s+\S/.test(line.trim()))).toEqual([])
        expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
      }
    },
    60_000,
  )

  it.each([[['--help']], [['run', '--help']]])('paints nothing into a pipe: %j', async (args) => {
    const env = { CI: undefined, TEST: undefined, TERM: 'xterm-256color' }
    const { stdout } = await runBin(args, { env })
    expect(stdout).toBe(stripVTControlCharacters(stdout))
    expect((await runBin(args, { env: { ...env, FORCE_COLOR: '1' } })).stdout).toContain('\u001b[')
  })

  it('tells the exit codes of run', async () => {
    const { stdout } = await runBin(['run', '--help'])
    const words = stdout.replaceAll(/\s+/g, ' ')
    for (const code of Object.values(EXIT_CODES)) expect(words).toContain(`${code} `)
    expect(words).toContain('1 error, 2 wrong arguments')
  })

  it('says in one line that it is not built', async () => {
    const root = await temporaryDirectory()
    await mkdir(join(root, 'bin'))
    await cp(BIN, join(root, 'bin', 'deckhand.js'))
    await writeFile(join(root, 'package.json'), '{ "type": "module" }')
    expect(await runBin(['--version'], { bin: join(root, 'bin', 'deckhand.js') })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'deckhand is not built: run `npm run build` in its directory first\n',
    })
  })

  it.skipIf(process.platform === 'win32')('says in one line that its directory was deleted', async () => {
    const cwd = await temporaryDirectory()
    const line = 'rmdir "$PWD" && exec "$0" "$1" doctor'
    const ran = promisify(execFile)('sh', ['-c', line, process.execPath, BIN], { cwd })
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'deckhand: the working directory does not exist any more; change to another one\n',
    })
  })

  it.each(['acp', 'demo', 'replay', 'doctor'])('has help for %s', async (name) => {
    const { code, stdout, stderr } = await runBin([name, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`deckhand ${name}`)
    expect(await runBin(['help', name])).toEqual({ code, stdout, stderr })
  })

  it.each([
    [['sail'], "unknown command 'sail'; see deckhand --help"],
    [['sesions'], "unknown command 'sesions'; is 'sessions' meant? see deckhand --help"],
    [['hlep'], "unknown command 'hlep'; is 'help' meant? see deckhand --help"],
    [['rnu', 'hi'], "unknown command 'rnu'; is 'run' meant? see deckhand --help"],
    [['help', 'bogus'], "unknown command 'bogus'; see deckhand --help"],
    [['help', 'run', 'demo'], "unexpected argument 'demo'"],
    [['sessions', 'list', 'extra'], "unexpected argument 'extra'; see deckhand sessions --help"],
    [['sessions', 'show', 'abcd', '--cwd', '/'], '--cwd goes with list, not with show'],
    [['tools', '--json', '--code'], '--json and --code contradict each other'],
    [['run', '--alow', 'x', 'hi'], "unknown option '--alow'; is '--allow' meant? see deckhand run --help"],
    [['--sail'], "unknown option '--sail'"],
    [['constructor'], "unknown command 'constructor'"],
    [['acp', '--fast'], "unknown option '--fast'"],
    [['acp', 'now'], "unexpected argument 'now'"],
    [['demo', '--yess'], "unknown option '--yess'"],
    [['replay'], 'missing argument <session>'],
    [['replay', 'a', 'b'], "unexpected argument 'b'"],
    [['replay', 'a', '--json', '--html', 'x'], '--json and --html contradict each other'],
    [['replay', 'a', '--client', 'emacs'], '--client is one of zed, plain, fs-only'],
  ])('refuses %j on stderr only (B190)', async (args, fault) => {
    const { code, stdout, stderr } = await runBin(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(fault)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each([[[]], [['acp']]])('is the agent on stdio with %j, and ends with its input', async (args) => {
    expect(await runBin(args)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('says in one line when Node is too old', async () => {
    const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.11.1' })"
    const node = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]
    const { code, stdout, stderr } = await runBin(['--version'], { node })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^deckhand needs Node 22\.18 or newer; this is Node 20\.11\.1 .*\n$/)
  })
})
