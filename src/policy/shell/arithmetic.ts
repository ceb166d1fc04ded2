// Arithmetic of the shell: anything but numbers may evaluate the text of a variable, and run what that says.
import type { ArithmeticExpression } from 'unbash'

/** Numbers and operators only. */
export function isConstant(expression: ArithmeticExpression | undefined): boolean {
  switch (expression?.type) {
    case 'ArithmeticWord':
      return /^\d+$/.test(expression.value)
    case 'ArithmeticBinary':
      return isConstant(expression.left) && isConstant(expression.right)
    case 'ArithmeticUnary':
      return isConstant(expression.operand)
    case 'ArithmeticGroup':
      return isConstant(expression.expression)
    case 'ArithmeticTernary':
      return [expression.test, expression.consequent, expression.alternate].every(isConstant)
    case 'ArithmeticCommandExpansion':
    case undefined:
      return false
  }
}
