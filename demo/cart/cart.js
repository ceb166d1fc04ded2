// A shopping cart. Money is in cents, so that no fraction gets lost.

const price = (item) => item.cents * item.quantity

export function subtotal(items) {
  return items.reduce((sum, item) => sum + price(item), 0)
}

export function tax(items, rate) {
  const taxes = items.map((item) => Math.round(price(item) * rate))
  return taxes.reduce((sum, cents) => sum + cents, 0)
}

export function total(items, rate) {
  return subtotal(items) + tax(items, rate)
}

export function format(cents) {
  return `$${(cents / 100).toFixed(2)}`
}
