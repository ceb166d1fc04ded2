// The library face for tests: the conformance kit that every tool, built in or not, can be held against.
export { assertTool, checkTool, type ToolProblem, type ToolSample } from '#registry/conformance/check-tool.ts'
export { viewProblems } from '#registry/conformance/check-view.ts'
