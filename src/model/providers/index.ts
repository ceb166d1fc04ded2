// The providers, one row each, in the order in which keys are looked for.
import { assertNever } from '#json/assert-never.ts'
