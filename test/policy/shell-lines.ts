// Generated command lines: from the grammar of bash, from mutations of it, and from its alphabet alone.
import fc from 'fast-check'

const from = (...values: string[]) => fc.constantFrom(...values)
const listed = from('git status', 'npm test', 'npm test a', 'npm  test -- "x y"', "npm 'test' b")
const unlisted = from(
  'touch evil',
  'evil',
  'rm -rf x',
  'git push',
  'npm publish',
  '$x',
  'sh -c evil',
  'eval evil',
  'X=1 git status',
  './git status',
  'nohup evil',
  'git commit x',
)
const argument = from(
  'a',
  '"a b"',
  "'a;b'",
  '"$x"',
  '$x',
  '*',
  'a\\ b',
  '"\\$(evil)"',
  "'$(evil)'",
  '\\;',
  '"`"',
  '#a',
  'a#b',
  '$?',
  '{a,b}',
  '~',
  '-x',
  '"a\\"b"',
  "a'b'c",
  '\\"',
  '"\'"',
  '$',
  '!',
  '%',
)
const redirection = from(
  '2>&1',
  '>/dev/null',
  '> evil.txt',
  '>>a.txt',
  '2> "evil 2"',
  '&> evil3',
  '< a.txt',
  '<<< x',
  '>&2',
  '<> evil4',
  '>| evil5',
  '2>&-',
)

function wrap(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const two = fc.tuple(inner, inner)
  return fc.oneof(
    two.map(([a, b]) => `${a}; ${b}`),
    two.map(([a, b]) => `${a} && ${b}`),
    two.map(([a, b]) => `${a} || ${b}`),
    two.map(([a, b]) => `${a} | ${b}`),
    two.map(([a, b]) => `${a} & ${b}`),
    two.map(([a, b]) => `${a}\n${b}`),
    inner.map((a) => `(${a})`),
    inner.map((a) => `{ ${a}; }`),
    inner.map((a) => `! ${a}`),
    inner.map((a) => `${a} # ${a}`),
    inner.map((a) => `npm test "$(${a})"`),
    inner.map((a) => `npm test $(${a})`),
    inner.map((a) => `npm test \`${a.replaceAll(/[`\\$]/g, '\\$&')}\``),
    inner.map((a) => `npm test <(${a})`),
    inner.map((a) => `npm test '${a.replaceAll("'", '')}'`),
    inner.map((a) => `npm test "${a}"`),
    inner.map((a) => `npm test \${x:-$(${a})}`),
    inner.map((a) => `npm test <<E\n${a}\nE`),
    inner.map((a) => `npm test <<'E'\n${a}\nE`),
    inner.map((a) => `npm test <<E\n$(${a})\nE\n${a}`),
    two.map(([a, b]) => `if ${a}; then ${b}; fi`),
    two.map(([a, b]) => `case x in x) ${a};; *) ${b};; esac`),
    inner.map((a) => `for i in 1 2; do ${a}; done`),
    inner.map((a) => `while git status; do ${a}; done`),
    two.map(([a, b]) => `f() { ${a}; }; ${b}`),
    fc.tuple(inner, argument).map(([a, b]) => `${a} ${b}`),
    fc.tuple(inner, redirection).map(([a, b]) => `${a} ${b}`),
    inner.map((a) => `npm test $((1 + 2)) ${a}`),
    inner.map((a) => `[[ -n $(${a}) ]]`),
    inner.map((a) => `echo "${a}"`),
    inner.map((a) => `time ${a}`),
    inner.map((a) => `coproc ${a}`),
  )
}

const grammar = (leaf: fc.Arbitrary<string>) => {
  const once = wrap(leaf)
  const twice = wrap(fc.oneof(leaf, once))
  return fc.oneof(leaf, once, twice, wrap(twice))
}

/** Mostly lines that may be allowed. */
export const tameLine = grammar(
  fc.oneof({ weight: 9, arbitrary: listed }, { weight: 1, arbitrary: unlisted }),
)

const wildLine = grammar(fc.oneof(listed, unlisted))
const noise = fc.string({
  unit: from(
    'git',
    ' status',
    'npm',
    ' test',
    ' ',
    '\n',
    ';',
    '&',
    '|',
    '(',
    ')',
    '{',
    '}',
    '<',
    '>',
    '$',
    '`',
    '"',
    "'",
    '\\',
    '#',
    '*',
    '?',
    '[',
    ']',
    '!',
    '~',
    '=',
    ':',
    '-',
    'E',
    'evil',
    '1',
    ',',
    '\t',
    '@',
    'f',
    'if',
    'then',
    'fi',
    'in',
    'do',
    'done',
  ),
  maxLength: 24,
})
/** Takes out or puts in one piece somewhere. */
const mutated = fc.tuple(wildLine, fc.nat(), fc.nat({ max: 3 }), noise).map(([line, at, cut, piece]) => {
  const index = at % (line.length + 1)
  return line.slice(0, index) + piece.slice(0, 3) + line.slice(index + cut)
})

export const anyLine = fc.oneof(wildLine, mutated, noise, fc.string({ unit: 'binary', maxLength: 40 }))
export { mutated as mutatedLine }
