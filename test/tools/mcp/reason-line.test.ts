// The line that is told of a server that ended; the texts are what npm, Node and others really write.
import { describe, expect, it } from 'vitest'
import { reasonLine } from '#tools/mcp/reason-line.ts'

const LOG = 'npm error A complete log of this run can be found in: /home/you/.npm/_logs/1-debug-0.log'
const NODE = `node:internal/modules/package_json_reader:331
  throw new ERR_MODULE_NOT_FOUND(packageName, null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope' imported from /x
    at packageResolve (node:internal/modules/esm/resolve:784:25)
    at node:internal/modules/esm/loader:636:32 {
  code: 'ERR_MODULE_NOT_FOUND',
  [cause]: Error: another
      at main (/x:1:1)
}

Node.js v24.21.0
`
const MISSING = `npm error code E404
npm error 404 Not Found - GET https://registry.example/nope - Not found
npm error 404
npm error 404  The requested resource 'nope@*' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.
`
const OFFLINE = `npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/nope failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.emit (node:events:514:28) {
npm error   code: 'ECONNREFUSED'
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.
`
const FAILED = `npm error Lifecycle script \`start\` failed with error:
npm error code 1
npm error path /x
npm error command failed
npm error command sh -c node server.js
`

describe('the reason', () => {
  it.each([
    ['the last line', 'starting\nthe database is missing\n', 'the database is missing'],
    ['nothing', ' \n\n', ''],
    [
      'Node’s error, not its version',
      NODE,
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope' imported from /x",
    ],
    [
      'what was thrown',
      "[eval]:1\nthrow 'x'\n^\nx\n(Use `node --trace-uncaught ...` to show)\n\nNode.js v24.21.0\n",
      'x',
    ],
    ['the head of a stack', 'Fatal: why\n    at a (/x:1:1)\n    at b (/x:2:2)\n', 'Fatal: why'],
    [
      'npm’s first sentence',
      MISSING + LOG,
      'npm error 404 Not Found - GET https://registry.example/nope - Not found',
    ],
    [
      'an older npm’s',
      (MISSING + LOG).replaceAll('npm error', 'npm ERR!'),
      'npm ERR! 404 Not Found - GET https://registry.example/nope - Not found',
    ],
    [
      'npm’s reason',
      OFFLINE + LOG,
      'npm error FetchError: request to http://127.0.0.1:9/nope failed, reason: connect ECONNREFUSED 127.0.0.1:9',
    ],
    [
      'that of the last of two tries',
      `${MISSING}${LOG}\n${OFFLINE}${LOG}\n`,
      expect.stringContaining('FetchError'),
    ],
    [
      'npm’s only sentence',
      `npm error could not determine executable to run\n${LOG}\nnpm notice\nnpm notice New version\n`,
      'npm error could not determine executable to run',
    ],
    [
      'the program’s, where npm only says that it failed',
      `TypeError: 1\n    at x (/x:1:1)\n\nNode.js v24.21.0\n${FAILED}${LOG}`,
      'TypeError: 1',
    ],
    ['npm’s last line, where nothing else was said', FAILED, 'npm error command sh -c node server.js'],
    [
      'docker’s',
      "docker: no such image: x\n\nRun 'docker run --help' for more information\n",
      'docker: no such image: x',
    ],
    ['a footer, where there is nothing else', 'Node.js v24.21.0\n', 'Node.js v24.21.0'],
  ])('is %s', (_what, text, reason) => {
    expect(reasonLine(text)).toEqual(reason)
  })
})
