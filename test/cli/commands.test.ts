import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runBin } from './run-bin.ts'

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

  it.each(['acp', 'demo', 'replay', 'doctor'])('has help for %s', async (name) => {
    const { code, stdout, stderr } = await runBin([name, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`deckhand ${name}`)
  })

  it.each([
    [['sail'], "unknown command 'sail'"],
    [['--sail'], "unknown option '--sail'"],
    [['constructor'], "unknown command 'constructor'"],
    [['acp', '--fast'], "unknown option '--fast'"],
    [['acp', 'now'], "unexpected argument 'now'"],
    [['demo', '--yess'], "unknown option '--yess'"],
    [['replay'], 'missing argument <session>'],
    [['replay', 'a', 'b'], "unexpected argument 'b'"],
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
