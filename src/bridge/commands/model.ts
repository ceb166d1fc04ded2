// /model: which model answers.
import { choose } from './choose.ts'
import { DONE, type Command } from './command.ts'

export const model: Command = {
  name: 'model',
  description: 'Show or change the model',
  hint: '[provider/model]',
  run: (context) => {
    choose(context, 'model')
    return DONE
  },
}
