// The soak: rounds of many sessions at once that do everything, are cancelled, crash and are closed; then a look at what is left.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Random } from './random.ts'
import { ENDING, ENDLESS, SCENARIO } from './scenario.ts'
import { type Message, SoakClient, type Witnessed } from './soak-client.ts'

export interface SoakInit {
  /** An empty directory. */
  root: string
  seed: number
  seconds: number
  /** At the same time. */
  sessions: number
  say(line: string): void
}

export interface Round extends Witnessed {
  /** Sessions so far. */
  sessions: number
  /** Open files of the agent. */
  files: number
}

export interface SoakReport {
  rounds: Round[]
  prompts: number
  messages: number
  faults: string[]
  stderr: string
  exitCode: number | null
  /** Processes that the agent left behind. */
  processes: string[]
  /** Files that should not be there. */
  leftovers: string[]
}

const mcp = (name: string): object => ({
  command: process.execPath,
  args: [fileURLToPath(new URL(`../../fixtures/mcp/${name}.mjs`, import.meta.url))],
})

export async function soak(init: SoakInit): Promise<SoakReport> {
  const stage = await Stage.open(init)
  const until = Date.now() + init.seconds * 1000
  while (Date.now() < until || stage.rounds.length < 2) await stage.round()
  return stage.end()
}

class Stage {
  readonly rounds: Round[] = []
  readonly #init: SoakInit
  readonly #random: Random
  readonly #client: SoakClient
  readonly #mark: string
  /** Open sessions that may still be loaded again. */
  #stored: string[] = []
  #sessions = 0
  #prompts = 0

  private constructor(init: SoakInit, client: SoakClient, mark: string) {
    this.#init = init
    this.#random = new Random(init.seed)
    this.#client = client
    this.#mark = mark
  }

  static async open(init: SoakInit): Promise<Stage> {
    const { root, seed } = init
    const mark = `${process.pid}-${seed}`
    for (const name of ['home', 'tmp', 'work']) await mkdir(join(root, name))
    await writeFile(join(root, 'scenario.json'), JSON.stringify(SCENARIO))
    await writeFile(
      join(root, 'home', 'config.jsonc'),
      JSON.stringify({ mcpServers: { crash: mcp('dies-in-calls'), storm: mcp('list-storm') } }),
    )
    const client = new SoakClient({
      ...process.env,
      SOAK_MARK: mark,
      TMPDIR: join(root, 'tmp'),
      DECKHAND_HOME: join(root, 'home'),
      DECKHAND_MODEL: 'scripted/soak',
      DECKHAND_SCENARIO: join(root, 'scenario.json'),
      DECKHAND_CODE_MODE: 'both',
    })
    const stage = new Stage(init, client, mark)
    client.answer = () => stage.#decide()
    const clientCapabilities = { _meta: { terminal_output: true } }
    await client.request('initialize', { protocolVersion: 1, clientCapabilities })
    return stage
  }

  async round(): Promise<void> {
    const slots = Array.from({ length: this.#init.sessions }, (_, slot) => this.#slot(slot))
    const pauses = setInterval(() => {
      if (this.#random.chance(0.3)) this.#client.dawdle(this.#random.int(1500))
    }, 2000)
    try {
      await Promise.all(slots)
    } finally {
      clearInterval(pauses)
    }
    const seen = await this.#client.look()
    const round = { ...seen, sessions: this.#sessions, files: this.#openFiles() }
    this.rounds.push(round)
    const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)
    this.#init.say(
      `round ${this.rounds.length}: ${round.sessions} sessions, ${this.#prompts} prompts, heap ${mib(round.heapUsed)} MiB, rss ${mib(round.rss)} MiB, ${round.files} files`,
    )
  }

  async end(): Promise<SoakReport> {
    const client = this.#client
    for (const living of this.#marked())
      client.faults.push(`a process lives on behind its session: ${living}`)
    const leftovers = await this.#leftovers()
    const exitCode = await client.end()
    return {
      rounds: this.rounds,
      prompts: this.#prompts,
      messages: client.messages,
      faults: client.faults,
      stderr: client.stderr,
      exitCode,
      processes: this.#marked(),
      leftovers: [...leftovers, ...(await this.#leftovers())],
    }
  }

  async #slot(slot: number): Promise<void> {
    const cwd = join(this.#init.root, 'work', `s${slot}`)
    await mkdir(cwd, { recursive: true })
    await writeFile(join(cwd, 'a.txt'), Array.from({ length: 300 }, (_, line) => `line ${line}\n`).join(''))
    const sessionId = await this.#open(cwd)
    this.#sessions++
    for (let left = 2 + this.#random.int(4); left > 0; left--) await this.#prompt(sessionId)
    await this.#must('session/close', { sessionId })
    if (this.#random.chance(0.7)) await this.#must('session/delete', { sessionId })
    else this.#stored.push(sessionId)
  }

  async #open(cwd: string): Promise<string> {
    const stored = this.#random.chance(0.3) ? this.#stored.shift() : undefined
    if (stored === undefined) {
      const { result } = await this.#must('session/new', { cwd, mcpServers: [] })
      return (result as { sessionId: string }).sessionId
    }
    await this.#must('session/load', { sessionId: stored, cwd, mcpServers: [] })
    return stored
  }

  async #prompt(sessionId: string): Promise<void> {
    const endless = this.#random.chance(0.35)
    const word = this.#random.pick(endless ? ENDLESS : ENDING)
    const prompt = [{ type: 'text', text: `${word} ${'and so on '.repeat(this.#random.int(30))}` }]
    this.#prompts++
    const cancels = endless || this.#random.chance(0.2)
    let over = false
    const turn = this.#client.request('session/prompt', { sessionId, prompt }).finally(() => (over = true))
    const until = cancels ? this.#cancelLater(sessionId, () => over) : undefined
    const { result, error } = await turn
    await until
    const stopReason = (result as { stopReason?: string } | undefined)?.stopReason
    // A rejected command is over by itself, so that the cancel may come too late.
    const ended = stopReason === 'end_turn' && (!endless || word === 'sleep')
    const failed = word === 'fails' && error !== undefined
    if (ended || failed || (cancels && stopReason === 'cancelled')) return
    const how = `${word}${cancels ? ', cancelled,' : ''}`
    this.#client.faults.push(`${how} ended as ${JSON.stringify({ result, error })}`)
  }

  async #cancelLater(sessionId: string, over: () => boolean): Promise<void> {
    await sleep(this.#random.int(700))
    if (!over()) this.#client.cancel(sessionId)
  }

  #decide(): object | undefined {
    const choice = this.#random.below(1)
    if (choice < 0.7) return { outcome: { outcome: 'selected', optionId: 'allow-once' } }
    if (choice < 0.9) return { outcome: { outcome: 'selected', optionId: 'reject-once' } }
    return { outcome: { outcome: 'cancelled' } }
  }

  async #must(method: string, params: { sessionId?: string; [field: string]: unknown }): Promise<Message> {
    const answer = await this.#client.request(method, params)
    if (answer.error !== undefined) this.#client.faults.push(`${method}: ${JSON.stringify(answer.error)}`)
    return answer
  }

  #openFiles(): number {
    return process.platform === 'linux' ? readdirSync(`/proc/${this.#client.child.pid}/fd`).length : 0
  }

  /** What still runs with our mark in its environment, the agent itself left out. Linux only. */
  #marked(): string[] {
    if (process.platform !== 'linux') return []
    return readdirSync('/proc').flatMap((pid) => {
      if (!/^\d+$/.test(pid) || Number(pid) === this.#client.child.pid) return []
      try {
        const marked = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`SOAK_MARK=${this.#mark}\0`)
        return marked ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')] : []
      } catch {
        return []
      }
    })
  }

  /** Locks, temporary files, and whatever else nobody asked for. */
  async #leftovers(): Promise<string[]> {
    const { root } = this.#init
    const found = await readdir(root, { recursive: true })
    const known =
      /^(?:scenario\.json|home|tmp|tmp\/node-compile-cache.*|work|work\/s\d+(?:\/(?:a|new|made)\.txt)?|home\/(?:config\.jsonc|catalogue\.jsonl|sessions|sessions\/[0-9a-f-]{36}\.(?:jsonl|blobs(?:\/[0-9a-f]{64})?|files(?:\/.*)?)))$/
    return found.filter((path) => !known.test(path))
  }
}
