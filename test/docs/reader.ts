// A reader's machine: a home, a project, the command on PATH, a stored session, and models that answer on this machine.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { APIS } from '../model/apis.ts'
import { BIN, ROOT } from '../cli/run-bin.ts'

/** The beginning of the id of the session that every reader has. */
export const SESSION = '5f3c'
const SESSION_ID = `${SESSION}0000-0000-4000-8000-000000000001`

export interface Models extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string
}

/** Answers every request of a model with one sentence; refuses the key `wrong-key` and the model `no-such-model`. */
export async function startModels(): Promise<Models> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = `${JSON.stringify(request.headers)}${request.url}${Buffer.concat(chunks).toString()}`
      const status = asked.includes('wrong-key') ? 401 : asked.includes('no-such-model') ? 404 : 200
      response.writeHead(status, {
        'content-type': status === 200 ? 'text/event-stream' : 'application/json',
      })
      if (status !== 200) return response.end('{"error":{"message":"there is no such thing"}}')
      const api = APIS.find(({ path }) => request.url?.includes(path)) ?? APIS[0]
      return response.end(api?.chunks([{ text: ['It rounds each line.'] }], 'stop').join(''))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface Reader extends AsyncDisposable {
  home: string
  project: string
  env: NodeJS.ProcessEnv
  /** Runs a script of bash in the project. stdin is empty. */
  bash(script: string): Promise<{ code: number; output: string }>
  /** Replaces what is true of this machine by what a page says. */
  asWritten(output: string): string
}

export interface ReaderInit {
  /** A vendor's key is in the environment. */
  keyed: boolean
  /** Vendors are reached on this machine; an address of their own stands for a key. Default: where there is a key. */
  vendors?: boolean
}

export async function aReader(models: Models, { keyed, vendors = keyed }: ReaderInit): Promise<Reader> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-reader-')))
  const [home, bin] = [join(root, 'you'), join(root, 'bin')]
  const project = join(home, 'project')
  const sessions = join(home, '.local/state/deckhand/sessions')
  await Promise.all([mkdir(bin), mkdir(sessions, { recursive: true })])
  await cp(join(ROOT, 'demo/cart'), project, { recursive: true })
  await mkdir(join(project, '.git'))
  await writeFile(join(project, '.git/HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(bin, 'deckhand'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, {
    mode: 0o755,
  })
  await writeFile(join(sessions, `${SESSION_ID}.jsonl`), await storedSession(project))
  const env = {
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: home,
    USER: 'you',
    NO_COLOR: '1',
    ...(keyed && { ANTHROPIC_API_KEY: 'a-key' }),
    ...(vendors && { ANTHROPIC_BASE_URL: `${models.url}/v1`, OPENAI_BASE_URL: `${models.url}/v1` }),
  }
  const here = (script: string): string =>
    script.replaceAll('http://localhost:11434', models.url).replaceAll('/path/to/deckhand/', ROOT)
  return {
    home,
    project,
    env,
    bash: (script) => runBash(here(script), project, env),
    asWritten: (output) =>
      output
        .replaceAll(home, '/home/you')
        .replaceAll(ROOT.replace(/\/$/, ''), '/path/to/deckhand')
        .replaceAll(models.url, 'http://localhost:11434'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

async function storedSession(project: string): Promise<string> {
  const log = await readFile(join(ROOT, 'fixtures/sessions/edit.jsonl'), 'utf8')
  const [first = '', ...rest] = log.split('\n')
  const header = { ...(JSON.parse(first) as object), id: SESSION_ID, cwd: project, roots: [project] }
  return [JSON.stringify(header), ...rest].join('\n')
}

function runBash(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', script], { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0
      resolve({ code, output: stdout + stderr })
    })
    child.stdin?.end()
  })
}
