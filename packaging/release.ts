// Whether everything that names a version names the same one, and the changelog is ready for it. Pure.

export interface ReleaseFiles {
  /** Parsed: `package.json`, `package-lock.json`, `packaging/acp-registry/agent.json`. */
  manifest: { name: string; version: string; license: string }
  lock: { version?: string; packages?: Record<string, { version?: string }> }
  entry: { version?: string; license?: string; distribution?: { npx?: { package?: string } } }
  /** The text of `CHANGELOG.md`. */
  changelog: string
}

/** A sentence for each fault. */
export function releaseFaults({ manifest, lock, entry, changelog }: ReleaseFiles): string[] {
  const { name, version, license } = manifest
  const npx = entry.distribution?.npx?.package
  const said: readonly (readonly [where: string, value: string | undefined, expected: string])[] = [
    ['package-lock.json', lock.version, version],
    ['package-lock.json (its root package)', lock.packages?.['']?.version, version],
    ['agent.json', entry.version, version],
    ['agent.json (npx)', npx, `${name}@${version}`],
    ['agent.json (license)', entry.license, license],
  ]
  const differing = said
    .filter(([, value, expected]) => value !== expected)
    .map(
      ([where, value, expected]) => `${where} says ${value ?? 'nothing'} where package.json says ${expected}`,
    )
  // The registry of editors takes no pre-releases.
  if (!/^\d+\.\d+\.\d+$/.test(version)) differing.unshift(`${version} is no version of the form 1.2.3`)
  return [...differing, ...changelogFaults(changelog, version)]
}

interface Section {
  version: string
  date: string | undefined
  /** Whether it has an entry under a heading. */
  filled: boolean
}

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

function changelogFaults(changelog: string, version: string): string[] {
  const sections = sectionsOf(changelog)
  const [unreleased, newest] =
    sections[0]?.version === 'Unreleased' ? [sections[0], sections[1]] : [undefined, sections[0]]
  const faults: string[] = []
  if (unreleased?.filled === true) faults.push('CHANGELOG.md still has entries under Unreleased')
  if (newest?.version !== version)
    faults.push(`the newest version in CHANGELOG.md is ${newest?.version ?? 'missing'}, not ${version}`)
  else if (newest.date === undefined) faults.push(`CHANGELOG.md has no date for ${version}`)
  else if (!newest.filled) faults.push(`CHANGELOG.md says nothing about ${version}`)
  const kinds = [...changelog.matchAll(/^### (.+)$/gm)].map(([, kind = '']) => kind)
  const odd = kinds.filter((kind) => !KINDS.includes(kind))
  return [
    ...faults,
    ...odd.map((kind) => `CHANGELOG.md has a heading "${kind}", which is none of ${KINDS.join(', ')}`),
  ]
}

function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [, version = '', date] = /^\[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$/m.exec(text) ?? []
      return { version, date, filled: /^### \w+\n+- /m.test(text) }
    })
}
