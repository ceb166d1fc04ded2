// The ripgrep that is run: the package's; where an install has left that out, the one on PATH.
import { thrownMessage } from '#json/thrown.ts'

export interface RipgrepProgram {
  /** What is started. */
  file: string
  /** Why it is not the package's. */
  missing?: string
}

let found: Promise<RipgrepProgram> | undefined

/** Never rejects. The package throws where the part for this platform is not installed. */
export function ripgrepProgram(): Promise<RipgrepProgram> {
  found ??= import('@vscode/ripgrep').then(
    ({ rgPath }) => ({ file: rgPath }),
    (error: unknown) => ({ file: 'rg', missing: thrownMessage(error) }),
  )
  return found
}

/** What to do where neither can be started. */
export const RIPGREP_MISSING =
  'ripgrep is missing: its package for this platform is not installed (npm may have left optional dependencies out), and there is no rg on PATH; install one of them'
