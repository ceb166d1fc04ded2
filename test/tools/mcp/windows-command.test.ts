import { describe, expect, it } from 'vitest'
import { windowsLaunch } from '#tools/mcp/windows-command.ts'

const NPX = `:: Created by npm, please don't edit manually.
@ECHO OFF\r\nSETLOCAL\r\nSET "NODE_EXE=%~dp0\\node.exe"\r\nIF NOT EXIST "%NODE_EXE%" (\r\n  SET "NODE_EXE=node"\r\n)\r
SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"\r\nSET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"\r
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (\r\n  SET "NPM_PREFIX_NPX_CLI_JS=%%F\\node_modules\\npm\\bin\\npx-cli.js"\r\n)\r
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (\r\n  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"\r\n)\r\n\r\n"%NODE_EXE%" "%NPX_CLI_JS%" %*\r\n`
const SHIM = `@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\nIF EXIST "%dp0%\\node.exe" (\r
  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\..\\server\\dist\\index.js" %*\r\n`
const ARGS = ['-y', 'pkg', 'a b', '%PATH%', 'x&y', 'say "hi"']

function machine(files: Record<string, string>) {
  const found = (path: string) => Object.keys(files).find((one) => one.toLowerCase() === path.toLowerCase())
  return {
    env: {
      Path: 'C:\\Windows;C:\\Program Files\\nodejs',
      PATHEXT: '.COM;.EXE;.BAT;.CMD',
      ComSpec: 'C:\\Windows\\cmd.exe',
    },
    cwd: 'D:\\work',
    exists: (path: string) => found(path) !== undefined,
    read: (path: string) => files[found(path) ?? ''],
  }
}

describe('commands on Windows', () => {
  it('B200: npx is the program behind its batch file, with its arguments unchanged', () => {
    const folder = 'C:\\Program Files\\nodejs'
    const launch = windowsLaunch(
      'npx',
      ARGS,
      machine({
        [`${folder}\\npx.cmd`]: NPX,
        [`${folder}\\node.exe`]: '',
        [`${folder}\\node_modules\\npm\\bin\\npx-cli.js`]: '',
      }),
    )
    expect(launch).toEqual({
      file: `${folder}\\node.exe`,
      args: [`${folder}\\node_modules\\npm\\bin\\npx-cli.js`, ...ARGS],
      verbatim: false,
    })
  })

  it('so is what npm puts into node_modules/.bin', () => {
    const bin = 'D:\\work\\node_modules\\.bin'
    const files = {
      [`${bin}\\server.cmd`]: SHIM,
      'D:\\work\\node_modules\\server\\dist\\index.js': '',
      'C:\\Program Files\\nodejs\\node.exe': '',
    }
    expect(windowsLaunch('.\\node_modules\\.bin\\server', ['%X%'], machine(files))).toEqual({
      file: 'C:\\Program Files\\nodejs\\node.exe',
      args: ['D:\\work\\node_modules\\server\\dist\\index.js', '%X%'],
      verbatim: false,
    })
  })

  it('starts programs as they are', () => {
    expect(windowsLaunch('uvx', ['a b'], machine({ 'C:\\Windows\\uvx.exe': '' }))).toEqual({
      file: 'C:\\Windows\\uvx.exe',
      args: ['a b'],
      verbatim: false,
    })
    expect(windowsLaunch('nothing', ['x'], machine({}))).toEqual({
      file: 'nothing',
      args: ['x'],
      verbatim: false,
    })
  })

  it('quotes for any other batch file, and refuses what quotes can not hold', () => {
    const files = { 'D:\\tools\\run.bat': '@echo off\r\ncall other.exe %*\r\n' }
    expect(windowsLaunch('D:\\tools\\run.bat', ['a b', 'x&y', '^'], machine(files))).toEqual({
      file: 'C:\\Windows\\cmd.exe',
      args: ['/d', '/s', '/c', '""D:\\tools\\run.bat" "a b" "x&y" "^""'],
      verbatim: true,
    })
    for (const bad of ['%PATH%', 'say "hi"', 'a\nb']) {
      expect(() => windowsLaunch('D:\\tools\\run.bat', [bad], machine(files))).toThrow(
        /can't be given to one unchanged/,
      )
    }
  })
})
