// What `npm run release:check` finds before it builds anything.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type ReleaseFiles, releaseFaults } from '../../packaging/release.ts'
import { ROOT } from '../cli/run-bin.ts'
import { temporaryDirectory } from '../support/temporary.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

function files(change: Partial<ReleaseFiles> = {}): ReleaseFiles {
  return {
    manifest: { name: 'deckhand', version: '1.2.3', license: 'MIT' },
    lock: { version: '1.2.3', packages: { '': { version: '1.2.3' } } },
    entry: { version: '1.2.3', license: 'MIT', distribution: { npx: { package: 'deckhand@1.2.3' } } },
    changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-30\n\n### Fixed\n\n- It.\n',
    ...change,
  }
}

describe('the files of a release', () => {
  it('of this tree agree', () => {
    const json = (path: string) => JSON.parse(read(path))
    const faults = releaseFaults({
      manifest: json('package.json'),
      lock: json('package-lock.json'),
      entry: json('packaging/acp-registry/agent.json'),
      changelog: read('CHANGELOG.md'),
    })
    // Between releases there may be news.
    expect(faults.filter((fault) => !fault.includes('Unreleased'))).toEqual([])
  })

  it('that agree have no fault', () => {
    expect(releaseFaults(files())).toEqual([])
  })

  it.each<[string, Partial<ReleaseFiles>, RegExp]>([
    [
      'a version that is none',
      { manifest: { name: 'deckhand', version: '1.2', license: 'MIT' } },
      /1\.2 is no version/,
    ],
    [
      'an old lock file',
      { lock: { version: '1.2.2', packages: { '': { version: '1.2.3' } } } },
      /lock\.json says 1\.2\.2/,
    ],
    [
      'an entry for another package',
      { entry: { version: '1.2.3', license: 'MIT', distribution: { npx: { package: 'deckhand@1.2.2' } } } },
      /says deckhand@1\.2\.2 where package\.json says deckhand@1\.2\.3/,
    ],
    [
      'news that belong to no version',
      { changelog: files().changelog.replace('## [1', '### Added\n\n- More.\n\n## [1') },
      /entries under Unreleased/,
    ],
    [
      'a version that the changelog does not know',
      { changelog: files().changelog.replace('1.2.3', '1.2.2') },
      /newest version in CHANGELOG\.md is 1\.2\.2/,
    ],
    ['no date', { changelog: files().changelog.replace(' - 2026-11-30', '') }, /no date for 1\.2\.3/],
    ['nothing to say', { changelog: files().changelog.replace('- It.', '') }, /says nothing about 1\.2\.3/],
    [
      'a heading of its own',
      { changelog: files().changelog.replace('Fixed', 'Improved') },
      /heading "Improved"/,
    ],
  ])('with %s have one', (_what, change, fault) => {
    expect(releaseFaults(files(change)).join('\n')).toMatch(fault)
  })
})

describe('npm run release:check', () => {
  it('refuses a tree that is not committed, a tag that is taken and versions that differ, and builds nothing', async () => {
    const root = await temporaryDirectory()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: root })
    mkdirSync(join(root, 'packaging'))
    for (const path of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'packaging'])
      cpSync(join(ROOT, path), join(root, path), { recursive: true })
    git('init', '-q')
    const check = () => {
      const script = join(root, 'packaging', 'release-check.ts')
      const { status, stdout } = spawnSync(process.execPath, [script], { cwd: root, encoding: 'utf8' })
      return { status, stdout }
    }
    const uncommitted = check()
    expect(uncommitted.stdout).toMatch(/✗ not committed: \?\? CHANGELOG\.md[^]*can not be released/)
    expect(uncommitted.status).toBe(1)

    git('add', '.')
    git('commit', '-qm', 'All')
    const { version } = JSON.parse(read('package.json'))
    git('tag', `v${version}`)
    expect(check().stdout).toContain(`there is a tag v${version} already`)
    git('tag', '-d', `v${version}`)

    const entry = join(root, 'packaging', 'acp-registry', 'agent.json')
    writeFileSync(entry, readFileSync(entry, 'utf8').replaceAll(version, '9.9.9'))
    git('commit', '-qam', 'Another version')
    const { status, stdout } = check()
    expect(stdout).toMatch(/agent\.json says 9\.9\.9 where package\.json says/)
    expect(stdout).not.toContain('lint')
    expect(status).toBe(1)
  })
})
