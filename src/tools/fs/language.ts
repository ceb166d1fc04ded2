// Language tags of files, for fences: by name, then by extension.

const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  'cmakelists.txt': 'cmake',
  jenkinsfile: 'groovy',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.bashrc': 'bash',
  '.zshrc': 'zsh',
  '.profile': 'sh',
  '.gitignore': 'gitignore',
  '.editorconfig': 'ini',
  '.env': 'dotenv',
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ...tagged('typescript', 'ts mts cts'),
  ...tagged('javascript', 'js mjs cjs'),
  ...tagged('python', 'py pyi pyw'),
  ...tagged('rust', 'rs'),
  ...tagged('ruby', 'rb'),
  ...tagged('kotlin', 'kt kts'),
  ...tagged('csharp', 'cs'),
  ...tagged('fsharp', 'fs fsx'),
  ...tagged('cpp', 'cc cpp cxx hh hpp hxx'),
  ...tagged('c', 'c h'),
  ...tagged('bash', 'sh bash'),
  ...tagged('powershell', 'ps1 psm1'),
  ...tagged('markdown', 'md markdown'),
  ...tagged('yaml', 'yml yaml'),
  ...tagged('html', 'html htm'),
  ...tagged('haskell', 'hs'),
  ...tagged('elixir', 'ex exs'),
  ...tagged('erlang', 'erl hrl'),
  ...tagged('clojure', 'clj cljs cljc edn'),
  ...tagged('ocaml', 'ml mli'),
  ...tagged('perl', 'pl pm'),
  ...tagged('objective-c', 'm'),
  ...tagged('latex', 'tex'),
  ...tagged('terraform', 'tf tfvars'),
  ...tagged('protobuf', 'proto'),
  ...tagged('viml', 'vim'),
  ...tagged('julia', 'jl'),
  ...tagged('json', 'json webmanifest'),
  ...sameTag(
    'jsx tsx java go php swift scala lua r dart zig nim sql css scss sass less vue svelte astro xml svg',
  ),
  ...sameTag(
    'toml ini json5 jsonc graphql cmake groovy gradle fish zsh diff patch csv rst nix sol wgsl glsl hlsl',
  ),
}

/** The tag of a path's language; `undefined` where none is known. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  return own(BY_NAME, name) ?? (dot > 0 ? own(BY_EXTENSION, name.slice(dot + 1)) : undefined)
}

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function tagged(tag: string, extensions: string): Record<string, string> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, tag]))
}

function sameTag(extensions: string): Record<string, string> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, extension]))
}
