import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, subtotal, tax, total } from './cart.js'

const cart = [
  { name: 'notebook', cents: 335, quantity: 1 },
  { name: 'pen', cents: 149, quantity: 2 },
  { name: 'eraser', cents: 75, quantity: 1 },
]

test('adds up quantities', () => {
  assert.equal(subtotal(cart), 708)
})

test('rounds the tax once, on the whole bill', () => {
  assert.equal(tax(cart, 0.1), 71)
})

test('prints what the customer pays', () => {
  assert.equal(format(total(cart, 0.1)), '$7.79')
})
