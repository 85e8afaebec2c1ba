import { interruptedError, usageError } from '../lib/errors.js';
import { escapeControls } from '../lib/text.js';

interface Question {
  message: string;
  /** The flag or argument that makes the prompt unnecessary: `--name`, `<id>`. */
  flag: string;
}

interface TextQuestion extends Question {
  /** Returns true, or a message about what is wrong. */
  validate?: (value: string) => true | string;
}

interface Choice<Value> {
  name: string;
  value: Value;
  description?: string;
}

interface ChoiceQuestion<Value> extends Question {
  choices: readonly Choice<Value>[];
}

type Inquirer = typeof import('@inquirer/prompts');

/** Asks questions on the terminal. Ctrl-C cancels a question and ends the command. */
export type Prompts = ReturnType<typeof createPrompts>;

/** Creates the prompts. They are shown on stderr, because stdout is for data. */
export function createPrompts(interactive: boolean, signal: AbortSignal) {
  const createPromptContext = () => ({ output: process.stderr, signal, clearPromptOnDone: false });

  async function ask<Value>(
    { flag, message }: Question,
    prompt: (inquirer: Inquirer, message: string) => Promise<Value>,
  ): Promise<Value> {
    if (!interactive) throw usageError(`${flag} is missing.`);
    try {
      return await prompt(await import('@inquirer/prompts'), escapeControls(message));
    } catch (error) {
      const canceled =
        error instanceof Error && /^(ExitPrompt|AbortPrompt|CancelPrompt)Error$/.test(error.name);
      throw canceled ? interruptedError() : error;
    }
  }

  function optionsOf<Value>({ choices }: ChoiceQuestion<Value>) {
    const printable = choices.map(({ name, value, description = '' }) => ({
      name: escapeControls(name),
      value,
      description: escapeControls(description),
    }));
    return { choices: printable, pageSize: 12 };
  }

  return {
    interactive,
    text: ({ validate = () => true, ...question }: TextQuestion): Promise<string> =>
      ask(question, ({ input }, message) => input({ message, validate }, createPromptContext())),
    secret: ({ validate = () => true, ...question }: TextQuestion): Promise<string> =>
      ask(question, ({ password }, message) =>
        password({ message, mask: '*', validate }, createPromptContext()),
      ),
    select: async <Value>(question: ChoiceQuestion<Value>): Promise<Value> => {
      const options = optionsOf(question);
      return ask(question, ({ select }, message) => select({ message, ...options }, createPromptContext()));
    },
    selectSeveral: async <Value>(question: ChoiceQuestion<Value>): Promise<Value[]> => {
      const options = optionsOf(question);
      return ask(question, ({ checkbox }, message) =>
        checkbox({ message, ...options, required: true }, createPromptContext()),
      );
    },
    confirm: (question: Question): Promise<boolean> =>
      ask(question, ({ confirm }, message) => confirm({ message, default: false }, createPromptContext())),
  };
}
