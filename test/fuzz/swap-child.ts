// Swaps a directory for a link to another one, back and forth, until it is ended: argv: directory, aside, outside.
import { renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'

const [directory = '', aside = '', outside = ''] = process.argv.slice(2)
const spin = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
/** Whoever is raced may have made the directory anew meanwhile. */
const insist = (work: () => void): void => {
  for (;;) {
    try {
      return work()
    } catch {
      try {
        rmSync(directory, { recursive: true, force: true })
      } catch {
        // Something was made in it meanwhile.
      }
    }
  }
}
const lead = (): void => insist(() => symlinkSync(outside, directory))
const back = (): void => insist(() => renameSync(aside, directory))
process.stdout.write('ready')
for (;;) {
  renameSync(directory, aside)
  lead()
  spin(Math.random() * 0.3)
  unlinkSync(directory)
  back()
  spin(Math.random() * 0.3)
}
