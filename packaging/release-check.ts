// `npm run release:check`: everything short of publishing. Changes nothing but what a build makes.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ReleaseFiles, releaseFaults } from './release.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

interface Step {
  title: string
  /** A sentence for each fault. */
  run(): string[]
}

const manifest = JSON.parse(read('package.json')) as ReleaseFiles['manifest']
const tag = `v${manifest.version}`

const steps: Step[] = [
  { title: 'the tree is as it was committed', run: changesInTree },
  { title: `${tag} is not there yet`, run: tagFaults },
  { title: 'versions, licence and changelog agree', run: versionFaults },
  {
    title: 'what is installed is what the lock file says',
    run: () => command('npm', ['ci', '--no-audit', '--no-fund']),
  },
  // Builds from nothing; with CI set, snapshots are compared only and nothing that needs the registry is skipped.
  {
    title: 'build, lint, format, types, dead code and all tests',
    run: () => command('npm', ['test'], { CI: 'true' }),
  },
  { title: 'the tests left the tree alone', run: changesInTree },
  {
    title: 'npm would publish it',
    run: () => command('npm', ['publish', '--dry-run', '--access', 'public']),
  },
]

for (const { title, run } of steps) {
  process.stdout.write(`▸ ${title}\n`)
  const faults = run()
  for (const fault of faults) process.stdout.write(`  ✗ ${fault}\n`)
  if (faults.length > 0) {
    process.stdout.write(`${manifest.name} ${manifest.version} can not be released\n`)
    process.exit(1)
  }
}
process.stdout.write(`${manifest.name} ${manifest.version} can be released:
  git tag ${tag} && git push origin ${tag}
  npm publish --access public
  then packaging/acp-registry/ goes to the editors' registry
`)

function changesInTree(): string[] {
  return git(['status', '--porcelain'])
    .split('\n')
    .filter(Boolean)
    .map((line) => `not committed: ${line.trim()}`)
}

function tagFaults(): string[] {
  return git(['tag', '--list', tag]) === '' ? [] : [`there is a tag ${tag} already: raise the version`]
}

function versionFaults(): string[] {
  return releaseFaults({
    manifest,
    lock: JSON.parse(read('package-lock.json')) as ReleaseFiles['lock'],
    entry: JSON.parse(read('packaging/acp-registry/agent.json')) as ReleaseFiles['entry'],
    changelog: read('CHANGELOG.md'),
  })
}

function git(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trimEnd()
}

function command(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string[] {
  const { status, error } = spawnSync(file, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0) return []
  return [
    `${[file, ...args].join(' ')} ${error === undefined ? `ended with ${status}` : `failed: ${error.message}`}`,
  ]
}
