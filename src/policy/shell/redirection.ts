// Redirections: which of them open a file, and how.
import type { Redirect, Redirection } from 'unbash'
import type { Redirected } from './facts.ts'
import { readWord } from './word.ts'

const DESCRIPTOR = /^(?:\d+-?|-)$/
const HARMLESS_TARGETS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr'])

/** Copies of descriptors, `/dev/null` and here-documents open no file. */
export function readRedirections(
  redirects: readonly Redirection[],
  warn: (caution: string) => void,
): Redirected[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type !== 'Redirect') return []
    const opened = readRedirect(redirect)
    if (opened === undefined) return []
    if (opened.target === undefined) warn('it redirects to a place that is not known before it runs')
    // Names such as /dev/tcp/host/port are the shell's own: they are no files.
    else if (opened.target.startsWith('/dev/')) warn(`it redirects to ${opened.target}`)
    return [opened]
  })
}

function readRedirect({ operator, descriptor, target }: Redirect): Redirected | undefined {
  const word = target === undefined ? undefined : readWord(target)
  const value = word?.kind === 'static' && word.value !== '' ? word.value : undefined
  if (value !== undefined && HARMLESS_TARGETS.has(value)) return undefined
  if ((operator === '>&' || operator === '<&') && value !== undefined && DESCRIPTOR.test(value))
    return undefined
  return {
    access: operator === '<' ? 'read' : 'write',
    operator,
    descriptor: descriptor?.type === 'FileDescriptor' ? String(descriptor.value) : '',
    target: value,
  }
}
