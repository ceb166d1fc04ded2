// Where in a value something is wrong: a chain from the node to the root, spelled out only for a message.

/** undefined is the root. */
export type Path = { readonly parent: Path; readonly key: string | number } | undefined

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const MAX_SHOWN = 200

export function extendPath(parent: Path, key: string | number): Path {
  return { parent, key }
}

/** Dotted and indexed, without quotes: `todos[0].status`; the label for the root. */
export function pathText(path: Path, label: string): string {
  const steps: (string | number)[] = []
  for (let at = path; at !== undefined; at = at.parent) steps.push(at.key)
  steps.reverse()
  if (steps.length === 0) return label
  let text = typeof steps[0] === 'number' ? label : String(steps.shift())
  for (const step of steps) {
    if (typeof step === 'number') text += `[${step}]`
    else text += IDENTIFIER.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
  }
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN / 2)}…${text.slice(-MAX_SHOWN / 2)}`
}

/** The path in double quotes, as messages show it. */
export function showPath(path: Path, label: string): string {
  return `"${pathText(path, label)}"`
}

/** Whether two chains name the same place. */
export function samePath(left: Path, right: Path): boolean {
  let [a, b] = [left, right]
  while (a !== undefined && b !== undefined && a.key === b.key) [a, b] = [a.parent, b.parent]
  return a === undefined && b === undefined
}

/** A place in a schema, qualified from its root: `schema.properties.path`. */
export function schemaPlace(path: Path): string {
  if (path === undefined) return 'schema'
  const text = pathText(path, 'schema')
  return text.startsWith('schema[') ? text : `schema.${text}`
}
