// The subcommands of git that only look. `--no-index`, `--output`, `-c` and the like are missing on purpose.
import type { Reader } from './reading.ts'

const DIFF =
  '-p -u --patch -s --no-patch --stat? --shortstat --numstat --dirstat? --summary --compact-summary --name-only ' +
  '--name-status --raw --color? --no-color --word-diff? --color-words? -U? --unified? -W ' +
  '--function-context -w -b --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines ' +
  '--ignore-cr-at-eol --diff-filter? -M? -C? -B? --find-renames? --find-copies? --no-renames -R -S? -G? ' +
  '--pickaxe-all --pickaxe-regex --relative? --minimal --patience --histogram --diff-algorithm? -a --text -z ' +
  '--binary --full-index --abbrev? --check --exit-code --submodule? --no-ext-diff --no-textconv --no-prefix'

const LOG =
  `${DIFF} --oneline --graph --all --branches? --tags? --remotes? --decorate? --no-decorate --abbrev-commit ` +
  '--no-abbrev-commit --pretty? --format? --date? --author? --committer? --grep? --invert-grep --all-match -i -E -F ' +
  '--since? --after? --until? --before? -n? -# --max-count? --skip? --reverse --merges --no-merges --first-parent ' +
  '--follow -L? --topo-order --date-order --author-date-order --cherry-pick --cherry-mark --left-right --left-only ' +
  '--right-only --ancestry-path --full-history --simplify-merges --parents --children --boundary --no-walk? ' +
  '--relative-date --walk-reflogs -g -m -c --cc --no-notes --notes?'

export const GIT: Readonly<Record<string, Reader>> = {
  status: {
    flags:
      '-s --short -b --branch --porcelain? --long -v --verbose -u? --untracked-files? --ignored? -z --show-stash ' +
      '--ahead-behind --no-ahead-behind --renames --no-renames --column? --no-column --ignore-submodules?',
    operands: 'paths',
  },
  diff: { flags: `${DIFF} --cached --staged --merge-base --quiet`, operands: 'paths' },
  log: { flags: LOG, operands: 'paths' },
  show: { flags: LOG, operands: 'paths' },
  whatchanged: { flags: LOG, operands: 'paths' },
  shortlog: {
    flags: '-s -n -e --summary --numbered --email --since? --until? --no-merges --group? --all',
    operands: 'paths',
  },
  blame: {
    flags:
      '-L? -w -M? -C? -e -s -l -t -n -c -f -p --porcelain --line-porcelain --date? --since? --show-name --show-number',
    operands: 'paths',
  },
  branch: {
    flags: '-a -r -v --all --remotes --list --show-current --verbose --no-color --color? --sort? --format?',
    operands: 'none',
  },
  tag: { flags: '-l --list --sort? --format? --column? --no-column', operands: 'none' },
  remote: { flags: '-v --verbose', operands: 'none' },
  reflog: { flags: '-n? -# --oneline --date?', operands: 'none' },
  'ls-files': {
    flags:
      '-c -d -m -o -i -s -u -k -t -v -z --cached --deleted --modified --others --ignored --stage --unmerged ' +
      '--exclude-standard --full-name --error-unmatch --directory --no-empty-directory --eol --abbrev? -x? --exclude?',
    operands: 'paths',
  },
  'ls-tree': {
    flags: '-r -d -t -l -z --name-only --name-status --object-only --long --full-name --full-tree --abbrev?',
    operands: 'paths',
  },
  'rev-parse': {
    flags:
      '--show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree ' +
      '--is-inside-git-dir --is-bare-repository --is-shallow-repository --abbrev-ref? --short? --verify -q --quiet ' +
      '--symbolic --symbolic-full-name --all --branches? --tags? --remotes? --revs-only --no-revs --flags --no-flags',
    operands: 'paths',
  },
  'rev-list': {
    flags:
      '--count --all -n? -# --max-count? --oneline --parents --left-right --no-merges --merges --first-parent ' +
      '--reverse --since? --until? --branches? --tags? --remotes? --objects',
    operands: 'paths',
  },
  describe: {
    flags:
      '--tags --all --always --long --dirty? --abbrev? --match? --exclude? --exact-match --contains --first-parent',
    operands: 'paths',
  },
  'merge-base': { flags: '-a --all --is-ancestor --octopus --independent --fork-point', operands: 'paths' },
  'cat-file': { flags: '-t -s -p -e', operands: 'paths' },
  'name-rev': { flags: '--tags --name-only --always --all', operands: 'paths' },
  'show-ref': {
    flags: '--heads --branches --tags --head -d --dereference -s --hash? --abbrev? --verify -q',
    operands: 'paths',
  },
  'for-each-ref': {
    flags: '--format? --sort? --count? --points-at? --merged? --contains?',
    operands: 'paths',
  },
  grep: {
    flags:
      '-n -i -w -l -L -c -E -F -P -G -v -h -H -q -I -a -o -p -W -A? -B? -C? -e? -m? --line-number --ignore-case ' +
      '--word-regexp --files-with-matches --count --column --heading --break --cached --untracked --color? --no-color ' +
      '--context? --all-match --and --or --not --max-depth? --show-function --function-context',
    operands: 'pattern',
    patternless: '-e',
    deep: true,
  },
  stash: {
    flags: '',
    operands: 'none',
    sub: { list: { flags: LOG, operands: 'none' }, show: { flags: DIFF, operands: 'paths' } },
  },
  worktree: { flags: '', operands: 'none', sub: { list: { flags: '-v --porcelain -z', operands: 'none' } } },
}
