// The read-only table: commands that only look, each with the flags that keep it so (`reading.ts` says how they are written).
import { GIT } from './read-only-git.ts'
import type { Reader } from './reading.ts'

const GREP: Reader = {
  flags:
    '-i -v -w -x -c -l -L -n -H -h -o -q -s -r -E -F -G -P -a -I -b -Z -z -y -A? -B? -C? -m? -e? -f@ -# --ignore-case ' +
    '--invert-match --word-regexp --line-regexp --count --files-with-matches --files-without-match --line-number ' +
    '--with-filename --no-filename --only-matching --quiet --silent --no-messages --recursive --extended-regexp ' +
    '--fixed-strings --basic-regexp --perl-regexp --text --null --byte-offset --color? --colour? --after-context? ' +
    '--before-context? --context? --max-count? --regexp? --file@ --include? --exclude? --exclude-dir?',
  operands: 'pattern',
  patternless: '-e --regexp -f --file',
  deep: true,
}
const DIGEST: Reader = { flags: '-b -t -z --binary --text --tag --zero', operands: 'paths' }
const VERSION: Reader = { flags: '--version -v -V', operands: 'none', needs: /^(?:--version|-v|-V)$/ }
const LONG_VERSION: Reader = { flags: '--version', operands: 'none', needs: /^--version$/ }

export const READ_ONLY: Readonly<Record<string, Reader>> = {
  ls: {
    flags:
      '-a -A -l -h -1 -R -r -t -S -d -F -i -s -p -G -n -o -g -X -U -c -u -k --all --almost-all --human-readable ' +
      '--recursive --reverse --size --directory --inode --classify? --color? --group-directories-first --full-time ' +
      '--time-style? --sort? --time? --si --no-group --numeric-uid-gid',
    operands: 'paths',
  },
  cat: {
    flags:
      '-n -b -e -s -t -v -E -T -A -u --number --number-nonblank --squeeze-blank --show-all --show-ends --show-tabs',
    operands: 'paths',
  },
  tac: { flags: '', operands: 'paths' },
  rev: { flags: '', operands: 'paths' },
  nl: { flags: '-b? -n? -w? -s? -v? -i?', operands: 'paths' },
  head: { flags: '-n? -c? -q -v -# --lines? --bytes? --quiet --verbose', operands: 'paths' },
  tail: { flags: '-n? -c? -q -v -# --lines? --bytes? --quiet --verbose', operands: 'paths' },
  wc: { flags: '-l -w -c -m -L --lines --words --bytes --chars --max-line-length', operands: 'paths' },
  sort: {
    flags:
      '-n -r -u -f -b -d -g -M -h -V -R -s -c -C -z -k? -t? --numeric-sort --reverse --unique --ignore-case --key? ' +
      '--field-separator? --human-numeric-sort --version-sort --general-numeric-sort --stable --check?',
    operands: 'paths',
  },
  uniq: {
    flags: '-c -d -D -u -i -z -f? -s? -w? --count --repeated --unique --ignore-case',
    operands: 'paths',
    most: 1,
  },
  comm: { flags: '-1 -2 -3 -i -z', operands: 'paths' },
  cmp: { flags: '-s -l -b --silent --quiet --verbose --print-bytes', operands: 'paths' },
  cut: {
    flags:
      '-d? -f? -c? -b? -s -z --delimiter? --fields? --characters? --bytes? --only-delimited --complement',
    operands: 'paths',
  },
  paste: { flags: '-d? -s --delimiters? --serial', operands: 'paths' },
  fold: { flags: '-w? -s -b', operands: 'paths' },
  column: { flags: '-t -s? -x', operands: 'paths' },
  tr: { flags: '-d -s -c -C -t --delete --squeeze-repeats --complement', operands: 'text' },
  od: { flags: '-c -x -b -d -o -A? -t? -N? -j? -w? -v', operands: 'paths' },
  hexdump: { flags: '-C -c -b -d -o -x -v -n? -s?', operands: 'paths' },
  xxd: { flags: '-b -p -u -l? -s? -c? -g?', operands: 'paths', most: 1 },
  base64: { flags: '-d -D -i -w? --decode --wrap?', operands: 'paths', most: 1 },
  md5sum: DIGEST,
  sha1sum: DIGEST,
  sha256sum: DIGEST,
  sha512sum: DIGEST,
  b2sum: DIGEST,
  cksum: { flags: '', operands: 'paths' },
  stat: { flags: '-L -c? -t --dereference --format? --printf? --terse', operands: 'paths' },
  file: { flags: '-b -i -h -L -I --brief --mime --mime-type --mime-encoding', operands: 'paths' },
  du: {
    flags:
      '-h -s -a -c -k -m -b -x -0 -d? --human-readable --summarize --all --total --max-depth? --apparent-size',
    operands: 'paths',
  },
  df: { flags: '-h -k -m -T -i -P -a -l --human-readable --print-type --inodes --total', operands: 'paths' },
  tree: {
    flags: '-a -d -f -i -s -h -p -u -g -D -C -n -F -r -t -L? -I? -P? --dirsfirst --gitignore --noreport --du',
    operands: 'paths',
  },
  readlink: { flags: '-f -e -m -n -z -q -s -v --canonicalize', operands: 'paths' },
  realpath: { flags: '-e -m -s -z -q -P -L', operands: 'paths' },
  basename: { flags: '-a -z -s?', operands: 'text' },
  dirname: { flags: '-z', operands: 'text' },
  find: { flags: '', operands: 'find' },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    flags:
      '-i -S -s -w -x -F -v -c -l -o -U -P -N -n -H -I -q -a -u -p -0 -A? -B? -C? -m? -M? -e? -f@ -r? -g? -t? -T? -d? -j? ' +
      '--ignore-case --smart-case --case-sensitive --word-regexp --line-regexp --fixed-strings --invert-match --count ' +
      '--count-matches --files-with-matches --files-without-match --only-matching --multiline --multiline-dotall ' +
      '--pcre2 --no-line-number --line-number --with-filename --no-filename --quiet --text --unrestricted --pretty ' +
      '--hidden --files --no-ignore --no-ignore-vcs --no-messages --json --stats --trim --vimgrep --heading ' +
      '--no-heading --column --type-list --null --sort? --sortr? --glob? --iglob? --type? --type-not? --max-count? ' +
      '--max-depth? --max-columns? --max-filesize? --color? --context? --after-context? --before-context? --replace? ' +
      '--regexp? --file@ --threads? --no-config --crlf --passthru',
    operands: 'pattern',
    patternless: '-e --regexp -f --file --files --type-list',
    deep: true,
  },
  sed: {
    flags: '-n -E -r -u -s --quiet --silent --regexp-extended',
    operands: 'pattern',
    first: /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?p(?:;|$))+$/,
  },
  jq: {
    flags:
      '-r -c -n -e -s -S -M -C -a -j -R --raw-output --compact-output --null-input --slurp --sort-keys --tab --raw-input',
    operands: 'pattern',
    // A module may be a file anywhere; the environment is not the project's.
    first: /^(?![\s\S]*(?:\b(?:import|include|modulemeta|input_filename)\b|(?<![.\w])env\b|\$ENV\b))/,
  },
  echo: { flags: '*', operands: 'text', anywhere: true },
  // `%n` sets a variable, such as the one that says where commands are found.
  printf: {
    flags: '',
    operands: 'text',
    anywhere: true,
    needsOperand: true,
    first: /^(?:[^%]|%%|%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:[diouxXeEfFgGaAscbq]|\([^()]*\)T))*$/,
  },
  true: { flags: '*', operands: 'text', anywhere: true },
  false: { flags: '*', operands: 'text', anywhere: true },
  ':': { flags: '*', operands: 'text', anywhere: true },
  seq: { flags: '-w -s? -f?', operands: 'text', anywhere: true },
  sleep: { flags: '', operands: 'text', anywhere: true },
  test: { flags: '', operands: 'test' },
  '[': { flags: '', operands: 'test' },
  pwd: { flags: '-L -P', operands: 'none' },
  which: { flags: '-a', operands: 'text', anywhere: true },
  type: { flags: '-a -t -p -P', operands: 'text', anywhere: true },
  command: { flags: '-v -V', operands: 'text', anywhere: true, needs: /^-[vV]$/ },
  date: {
    flags: '-u -R -I? -d? --utc --rfc-email --iso-8601? --rfc-3339? --date?',
    operands: 'text',
    anywhere: true,
    each: /^\+/,
  },
  whoami: { flags: '', operands: 'none', anywhere: true },
  id: { flags: '-u -g -G -n -r', operands: 'text', anywhere: true },
  groups: { flags: '', operands: 'text', anywhere: true },
  uname: { flags: '-a -s -r -m -n -p -o -v -i', operands: 'none', anywhere: true },
  arch: { flags: '', operands: 'none', anywhere: true },
  nproc: { flags: '--all', operands: 'none', anywhere: true },
  uptime: { flags: '-p -s', operands: 'none', anywhere: true },
  git: { flags: '-P --no-pager --version', operands: 'none', sub: GIT, git: true },
  node: VERSION,
  npm: VERSION,
  python: LONG_VERSION,
  python3: LONG_VERSION,
}
