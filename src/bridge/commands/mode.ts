// /mode: what may be done without asking.
import { choose } from './choose.ts'
import { DONE, type Command } from './command.ts'

export const mode: Command = {
  name: 'mode',
  description: 'Show or change the mode: what is done without asking',
  hint: '[ask | accept-edits | plan | bypass]',
  run: (context) => {
    choose(context, 'mode')
    return DONE
  },
}
