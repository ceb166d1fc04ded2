// Records `fixtures/sessions/*.jsonl` with the built agent: `node --conditions=deckhand-source test/support/recording/record.ts [name…]`.
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { client, methods, type ClientContext } from '@agentclientprotocol/sdk'
import { launchAgent, type AgentProcess } from '#cli/agent-process.ts'
import { normalized } from './normalize.ts'
import { RECIPES, type Recipe, type Stage } from './recipes.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TARGET = join(ROOT, 'fixtures', 'sessions')

interface Place {
  cwd: string
  home: string
  scenario: string
}

async function record(recipe: Recipe): Promise<void> {
  const place = await prepare(recipe)
  const { cwd, home } = place
  const first = launch(place)
  await first.hello()
  const { sessionId } = await first.agent.request(methods.agent.session.new, { cwd, mcpServers: [] })
  await recipe.play(first.stage(sessionId))
  await first.end()
  if (recipe.reopen) {
    const second = launch(place)
    await second.hello()
    await second.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
    await second.end()
  }
  const log = await readFile(join(home, 'sessions', `${sessionId}.jsonl`), 'utf8')
  await writeFile(join(TARGET, `${recipe.name}.jsonl`), normalized(log, { cwd, home }))
  await rm(dirname(cwd), { recursive: true, force: true })
}

async function prepare({ turns, files = {}, mode, contextWindow }: Recipe): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-record-')))
  const place = { cwd: join(root, 'app'), home: join(root, 'home'), scenario: join(root, 'scenario.json') }
  await Promise.all([mkdir(place.cwd), mkdir(place.home)])
  await writeFile(place.scenario, JSON.stringify({ name: 'recording', turns, contextWindow }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.cwd, name)), { recursive: true })
    await writeFile(join(place.cwd, name), text)
  }
  if (mode !== undefined) await writeFile(join(place.home, 'config.jsonc'), JSON.stringify({ mode }))
  return place
}

interface Launched {
  agent: ClientContext
  hello(): Promise<void>
  stage(sessionId: string): Stage
  end(): Promise<void>
}

function launch({ cwd, home, scenario }: Place): Launched {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    DECKHAND_MODEL: 'scripted/recording',
    DECKHAND_SCENARIO: scenario,
    DECKHAND_HOME: home,
  }
  const child: AgentProcess = launchAgent({ root: ROOT, cwd, env })
  let answer: Stage['answer'] = () => 'allow-once'
  const watchers = new Set<() => void>()
  const seen: string[] = []
  const see = (what: string): void => {
    seen.push(what)
    for (const watcher of watchers) watcher()
  }
  const connection = client()
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      see(`${update.sessionUpdate} ${JSON.stringify(update)}`)
    })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      const optionId = answer(params)
      see(`permission ${params.toolCall.toolCallId}`)
      if (optionId === 'never') await new Promise(() => {})
      return { outcome: { outcome: 'selected', optionId } }
    })
    .connect(child.stream)
  const { agent } = connection
  const until = async (pattern: RegExp): Promise<void> => {
    while (!seen.some((what) => pattern.test(what))) {
      await new Promise<void>((resolve) => watchers.add(resolve))
    }
  }
  return {
    agent,
    hello: async () => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
    },
    stage: (sessionId) => ({
      say: async (text) => {
        const prompt = [{ type: 'text' as const, text }]
        await agent.request(methods.agent.session.prompt, { sessionId, prompt }).catch(() => undefined)
      },
      request: (method, params) => agent.request(method, { sessionId, ...params }),
      cancel: () => agent.notify(methods.agent.session.cancel, { sessionId }),
      until,
      kill: () => void (child.pid !== undefined && process.kill(child.pid, 'SIGKILL')),
      set answer(next: Stage['answer']) {
        answer = next
      },
      get answer() {
        return answer
      },
    }),
    end: async () => {
      connection.close()
      await child.end()
    },
  }
}

const wanted = process.argv.slice(2)
const chosen = RECIPES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
for (const recipe of chosen) {
  await record(recipe)
  process.stdout.write(`${recipe.name}\n`)
}
const names = new Set(RECIPES.map(({ name }) => name))
const others = (await readdir(TARGET)).filter(
  (file) => file.endsWith('.jsonl') && !names.has(file.slice(0, -6)),
)
process.stdout.write(`by hand: ${others.join(', ') || 'none'}\n`)
