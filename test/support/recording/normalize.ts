// A recorded log without what differs from one recording to the next: ids, times, places.

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const START = Date.UTC(2026, 0, 5, 9, 0, 0)

/** Pure. Equal ids stay equal; times advance by a second from one to the next. */
export function normalized(log: string, { cwd, home }: { cwd: string; home: string }): string {
  const ids = new Map<string, string>()
  const times = new Map<string, string>()
  return log
    .replaceAll(cwd, '/home/dev/app')
    .replaceAll(home, '/home/dev/.deckhand')
    .replaceAll(UUID, (id) =>
      remember(ids, id, (count) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`),
    )
    .replaceAll(TIME, (time) =>
      remember(times, time, (count) => new Date(START + count * 1000).toISOString()),
    )
}

function remember(known: Map<string, string>, from: string, make: (count: number) => string): string {
  const to = known.get(from) ?? make(known.size + 1)
  known.set(from, to)
  return to
}
