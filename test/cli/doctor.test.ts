import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBin } from './run-bin.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'deckhand-doctor-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const without = {
  ANTHROPIC_API_KEY: '',
  OPENAI_API_KEY: '',
  DEEPSEEK_API_KEY: '',
  GEMINI_API_KEY: '',
  DECKHAND_API_KEY: '',
}

describe('doctor', () => {
  it('finds what is here, and names keys without showing them', async () => {
    const key = 'sk-ant-very-secret-0123456789'
    const { code, stdout, stderr } = await runBin(['doctor'], {
      env: { ...without, DECKHAND_HOME: home, ANTHROPIC_API_KEY: key },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/✔ ripgrep +ripgrep \d+/)
    expect(stdout).toMatch(/✔ shell +GNU bash|! shell/)
    expect(stdout).toContain(`${home} is writable`)
    expect(stdout).toMatch(/✔ keys +present: anthropic/)
    expect(stdout).toMatch(/✔ model +anthropic\//)
    expect(stdout).not.toContain('very-secret')
  })

  it('misses no key where the model needs none', async () => {
    const { stdout } = await runBin(['doctor'], {
      env: {
        ...without,
        DECKHAND_HOME: home,
        DECKHAND_MODEL: 'openai-compatible/qwen3',
        DECKHAND_BASE_URL: 'http://localhost:11434/v1',
      },
    })
    expect(stdout).toMatch(/✔ keys +none in the environment, none stored; the model needs none/)
  })

  it('prints a snippet that an editor can use as it is', async () => {
    const { stdout } = await runBin(['doctor'], { env: { ...without, DECKHAND_HOME: home } })
    const { agent_servers: servers } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      agent_servers: { Deckhand: { command: string; args: string[] } }
    }
    expect(servers.Deckhand.command).toBe(process.execPath)
    expect(servers.Deckhand.args.at(-1)).toBe('acp')
  })

  it('says what to do when no model can be used', async () => {
    const { code, stdout } = await runBin(['doctor'], { env: { ...without, DECKHAND_HOME: home } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/! model +.*DECKHAND_MODEL/)
  })

  it('fails when the state directory can not be written', async () => {
    const file = join(home, 'file')
    await writeFile(file, '')
    const { code, stdout } = await runBin(['doctor'], {
      env: { ...without, DECKHAND_HOME: join(file, 'below') },
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/✖ state +.*is not writable/)
  })

  it.runIf(process.platform === 'linux')('ends where the home directory takes no entries', async () => {
    const { code, stdout } = await runBin(['doctor'], {
      env: { ...without, HOME: '/proc', XDG_CACHE_HOME: '', XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' },
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/✖ state +\/proc\/\.local\/state\/deckhand is not writable: ENOENT/)
  })

  it('says that a configured sandbox is missing, and which rules can not be read', async () => {
    const rules = { deny: ['bash(rm -rf "x")'] }
    await writeFile(join(home, 'config.jsonc'), JSON.stringify({ sandbox: 'workspace', permissions: rules }))
    const { code, stdout } = await runBin(['doctor'], { env: { ...without, DECKHAND_HOME: home } })
    expect(code).toBe(1)
    expect(stdout).toMatch(/✖ sandbox +every command will be refused: .*sandbox-runtime is not installed/)
    expect(stdout).toMatch(/! setting +permissions\.deny: the rule "bash\(rm -rf \\"x\\"\)" can not be read/)
  })
})
