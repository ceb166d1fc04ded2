// The walk over a parsed command line: every node is known here, and what is not harmless is named.
import {
  type Assignment,
  type Command,
  type Function as ShellFunction,
  forEachChild,
  type HereDoc,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
  type Time,
} from 'unbash'
import { isConstant } from './arithmetic.ts'
import type { Redirected, ShellLine, SimpleCommand } from './facts.ts'
import { readRedirections } from './redirection.ts'
import { readWord, type ShellWord } from './word.ts'

interface Findings {
  commands: SimpleCommand[]
  redirected: Redirected[]
  functions: string[]
  cautions: Set<string>
  unreadable: boolean
}

/** May throw on trees deeper than the stack. */
export function visitScript(source: string, script: ParsedScript): ShellLine {
  const found: Findings = {
    commands: [],
    redirected: [],
    functions: [],
    cautions: new Set(),
    unreadable: false,
  }
  visit(script, found, [])
  return { ...found, source, cautions: [...found.cautions] }
}

function visit(node: SyntaxNode, found: Findings, timed: readonly string[]): void {
  note(node, found, timed)
  const inner =
    node.type === 'Pipeline' ? timedBy(node.prefixes.find((prefix) => prefix.type === 'Time')) : []
  forEachChild(node, (child) => visit(child, found, child.type === 'Command' ? inner : []))
  if (inner.length > 0 && node.type === 'Pipeline' && node.commands.some(({ type }) => type !== 'Command')) {
    found.cautions.add('it times a group of commands')
  }
}

function timedBy(time: Time | undefined): readonly string[] {
  return time === undefined
    ? []
    : ['time', ...(time.posix ? ['-p'] : []), ...(time.endOfOptions ? ['--'] : [])]
}

// A list of all kinds, so that one that a new version of the parser adds is never overlooked.
function note(node: SyntaxNode, found: Findings, timed: readonly string[]): void {
  switch (node.type) {
    case 'Script':
      if (node.errors?.length) unparsable(found)
      return
    case 'Command':
      found.commands.push(commandOf(node, found, timed))
      return
    case 'Redirected':
      found.redirected.push(...redirections(node.redirects, found))
      return
    case 'Function':
      found.functions.push(nameOf(node))
      return
    case 'HereDoc':
      return noteHereDoc(node, found)
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) unparsable(found)
      return
    case 'Word':
    case 'Literal':
      if (!(node.type === 'Word' && node.parts) && hidesExpansion(node.text)) unparsable(found)
      return
    case 'ArithmeticExpansion':
      if (!isConstant(node.expression)) found.cautions.add('it computes with names, which can run commands')
      return
    case 'For':
      if (!HARMLESS_NAME.test(node.name.text)) found.cautions.add('it sets a variable')
      return
    case 'ParameterExpansion':
      if (node.prefix ?? node.index ?? node.operation) found.cautions.add(`it expands ${node.text}`)
      return
    default:
      return noteKind(node, found)
  }
}

/** Text that bash would take for the beginning of an expansion. */
function hidesExpansion(text: string): boolean {
  return /\$[\w[({@*?!#$-]|`/.test(text.replaceAll(/\\[\s\S]/g, ''))
}

/** Loop variables that no program looks up in its environment. */
const HARMLESS_NAME = /^[a-z][a-z0-9]{0,15}$/

function noteKind(node: SyntaxNode, found: Findings): void {
  if (HARMLESS.has(node.type)) return
  if (node.type === 'Unknown') unparsable(found)
  found.cautions.add(CAUTIONS[node.type] ?? `it uses ${node.type}`)
}

const CAUTIONS: Partial<Record<SyntaxNode['type'], string>> = {
  Assignment: 'it sets a variable',
  FileDescriptorVariable: 'it sets a variable',
  Select: 'it sets a variable',
  Coproc: 'it starts a coprocess',
  TestCommand: 'it evaluates [[ ]]',
  ArithmeticCommand: 'it evaluates (( ))',
  ArithmeticFor: 'it evaluates (( ))',
  AnsiCQuoted: "it uses $'…'",
  LocaleString: 'it uses $"…"',
  ExtendedGlob: 'it uses an extended pattern',
}

const HARMLESS: ReadonlySet<SyntaxNode['type']> = new Set<SyntaxNode['type']>(
  (
    'Statement CompoundList AndOr Pipeline Time Negation If Elif While Subshell BraceGroup Case ' +
    'CaseItem Word Literal SingleQuoted DoubleQuoted SimpleExpansion Glob BraceExpansion ' +
    'Redirect HereString HereDocDelimiter HereDocBody FileDescriptor ArithmeticWord ' +
    'ArithmeticBinary ArithmeticUnary ArithmeticTernary ArithmeticGroup'
  ).split(' ') as SyntaxNode['type'][],
)

const PLAIN_DELIMITER = /^(?:[\w.-]+|'[\w.-]+'|"[\w.-]+"|\\[\w.-]+)$/

function noteHereDoc({ closing, delimiter }: HereDoc, found: Findings): void {
  if (closing === undefined || delimiter === undefined || !PLAIN_DELIMITER.test(delimiter.text))
    unparsable(found)
}

function unparsable(found: Findings): void {
  found.unreadable = true
  found.cautions.add('the command line can not be parsed')
}

function commandOf(node: Command, found: Findings, timed: readonly string[]): SimpleCommand {
  const words = node.args.map((argument) =>
    argument.type === 'Word' ? readWord(argument) : assigned(argument),
  )
  return {
    words: node.name === undefined ? words : [readWord(node.name), ...words],
    redirected: redirections(node.redirects, found),
    timed,
    fed: node.redirects.some(({ type }) => type !== 'Redirect'),
  }
}

/** An argument of a command that takes assignments, such as `alias`. */
function assigned({ name, value, index, text }: Assignment): ShellWord {
  const word = value.type === 'Word' && index === undefined ? readWord(value) : undefined
  return word?.kind === 'static'
    ? { kind: 'static', value: `${name}=${word.value}` }
    : { kind: 'dynamic', text }
}

function redirections(redirects: readonly Redirection[], found: Findings): Redirected[] {
  return readRedirections(redirects, (caution) => found.cautions.add(caution))
}

function nameOf({ name }: ShellFunction): string {
  const word = readWord(name)
  return word.kind === 'static' ? word.value : ''
}
