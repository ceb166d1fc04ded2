import fc from 'fast-check'
import { forEachChild, parse, type SyntaxNode, type Word } from 'unbash'
import { describe, expect, it } from 'vitest'
import { allowanceOf, NOTHING_ALLOWED } from '#policy/shell/allowance.ts'
import { formsOf } from '#policy/shell/forms.ts'
import { readLine } from '#policy/shell/line.ts'
import { LONG, scale } from '../fuzz/scale.ts'
import { openProject } from './harness.ts'
import { anyLine, mutatedLine, tameLine } from './shell-lines.ts'

const RULES = { allow: ['bash(git status)', 'bash(npm test *)'] }

/** Every node below, and what the parser complains about: written for this test alone. */
function everyNode(line: string): { nodes: SyntaxNode[]; errors: number } {
  const nodes: SyntaxNode[] = []
  let errors = 0
  const visit = (node: SyntaxNode): void => {
    nodes.push(node)
    if (node.type === 'Script') errors += node.errors?.length ?? 0
    forEachChild(node, visit)
  }
  visit(parse(line))
  return { nodes, errors }
}

const isText = (word: Word): boolean =>
  (word.parts ?? []).every(
    (part) => ['Literal', 'SingleQuoted', 'DoubleQuoted'].includes(part.type) && !/[$`]/.test(part.text),
  )

/** Why an allowed line should not have been. */
function objection(line: string): string | undefined {
  const { nodes, errors } = everyNode(line)
  if (errors > 0) return 'it has errors'
  for (const node of nodes) {
    if (node.type === 'Assignment') return `it assigns ${node.text}`
    if (
      node.type === 'Redirect' &&
      node.operator !== '<' &&
      !/^(?:\/dev\/null|\d+|-)$/.test(node.target?.value ?? '')
    )
      return `it writes to ${node.target?.value}`
    if (node.type !== 'Command' || node.name === undefined) continue
    if (!isText(node.name)) return `the name ${node.name.text} is not text`
    const words = [
      node.name.value,
      ...node.suffix.flatMap((part) => (part.type === 'Word' ? [part] : [])).map((word) => word.value),
    ]
    const fine =
      (words.slice(0, 2).join('\0') === 'git\0status' && !words.slice(2).some((word) => /^-./.test(word))) ||
      words.slice(0, 2).join('\0') === 'npm\0test' ||
      ['echo', ':', '[', 'test'].includes(words[0] ?? '')
    if (!fine) return `it runs ${words.join(' ')}`
  }
  return undefined
}

describe('any line', () => {
  it(
    'throws nothing, and nothing with an unlisted command is allowed',
    { timeout: LONG ? 0 : 60_000 },
    async () => {
      const { policy } = await openProject()
      const { bash } = policy(RULES)
      let allowed = 0
      await fc.assert(
        fc.asyncProperty(fc.oneof(anyLine, mutatedLine, tameLine), async (line) => {
          const { kind } = await bash(line)
          if (kind !== 'allow') return
          allowed++
          expect([line, objection(line)]).toEqual([line, undefined])
        }),
        scale('bash rules', { short: 1500, long: 100_000 }),
      )
      expect(allowed).toBeGreaterThan(100)
    },
  )

  it('throws nothing below the policy either', () => {
    fc.assert(
      fc.property(anyLine, (source) => {
        const line = readLine(source)
        formsOf(line)
        allowanceOf(line, NOTHING_ALLOWED)
      }),
      scale('bash rules', { short: 1500, long: 100_000 }),
    )
  })

  it(
    'a denied command is found wherever the grammar can hide it',
    { timeout: LONG ? 0 : 60_000 },
    async () => {
      const { policy } = await openProject()
      const { bash } = policy({ deny: ['bash(evil *)'] }, 'bypass')
      await fc.assert(
        fc.asyncProperty(fc.oneof(tameLine, anyLine), async (line) => {
          const { nodes } = everyNode(line)
          const runs = nodes.some(
            (node) =>
              node.type === 'Command' &&
              node.name !== undefined &&
              isText(node.name) &&
              node.name.value === 'evil',
          )
          if (runs) expect([line, (await bash(line)).kind]).not.toEqual([line, 'allow'])
        }),
        scale('deny rules', { short: 1200, long: 100_000 }),
      )
    },
  )

  it('survives depth and length', () => {
    for (const source of [
      '$('.repeat(5000),
      '('.repeat(20_000),
      'a '.repeat(40_000),
      '`'.repeat(9999),
      `${'$('.repeat(200)}${')'.repeat(200)}`,
      'a | '.repeat(9000),
      `npm test ${'*'.repeat(9000)}`,
    ]) {
      expect(
        allowanceOf(readLine(source), NOTHING_ALLOWED).cautions.length +
          allowanceOf(readLine(source), NOTHING_ALLOWED).unlisted.length,
      ).toBeGreaterThan(0)
    }
  })
})
