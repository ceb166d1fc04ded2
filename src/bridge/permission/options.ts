// The buttons of the permission prompt: ids, kinds and words.
import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { Grant } from '#registry/types.ts'

export const ALLOW_ONCE = 'allow-once'
export const ALLOW_ALWAYS = 'allow-always'
export const REJECT_ONCE = 'reject-once'

/** At most one option per kind; "always" only where policy formed a grant, in the grant's own words. */
export function permissionOptions(grant: Pick<Grant, 'label'> | undefined): PermissionOption[] {
  return [
    { optionId: ALLOW_ONCE, kind: 'allow_once', name: 'Allow' },
    ...(grant ? [{ optionId: ALLOW_ALWAYS, kind: 'allow_always' as const, name: grant.label }] : []),
    { optionId: REJECT_ONCE, kind: 'reject_once', name: 'Reject' },
  ]
}
