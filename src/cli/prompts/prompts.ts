import { interruptedError, usageError } from '../lib/errors.js';
import { escapeControls } from '../lib/text.js';

interface Question {
  message: string;
  /** The flag or argument that makes the prompt unnecessary: `--name`, `<id>`. */
  flag: string;
}

interface TextQuestion extends Question {
  default?: string;
  /** Returns true, or a message about what is wrong. */
  validate?: (value: string) => true | string;
}

interface Choice<Value> {
  name: string;
  value: Value;
  description?: string;
}

function toPrintableChoice<Value>({ name, value, description }: Choice<Value>): Choice<Value> {
  return {
    name: escapeControls(name),
    value,
    ...(description !== undefined && { description: escapeControls(description) }),
  };
}

/** Asks questions on the terminal. Ctrl-C cancels a question and ends the command. */
export interface Prompts {
  /** Whether prompts can be shown. */
  readonly interactive: boolean;
  text(question: TextQuestion): Promise<string>;
  /** Asks without showing the input. */
  secret(question: TextQuestion): Promise<string>;
  select<Value>(question: Question & { choices: readonly Choice<Value>[] }): Promise<Value>;
  /** Asks for one or more of the choices. */
  selectSeveral<Value>(question: Question & { choices: readonly Choice<Value>[] }): Promise<Value[]>;
  /** Asks a yes-or-no question; the default is no. */
  confirm(question: Question): Promise<boolean>;
}

/** Creates the prompts. They are shown on stderr, because stdout is for data. */
export function createPrompts(interactive: boolean, signal: AbortSignal): Prompts {
  const createPromptContext = () => ({ output: process.stderr, signal, clearPromptOnDone: false });

  /** @throws {CliError} when there is nothing to choose from, which would be an error of the prompt itself */
  function assertChoices({ flag, choices }: Question & { choices: readonly unknown[] }): void {
    if (interactive && choices.length === 0)
      throw usageError(`${flag} is missing, and there is nothing to choose from.`);
  }

  async function ask<Value>(
    { flag }: Question,
    prompt: (inquirer: typeof import('@inquirer/prompts')) => Promise<Value>,
  ): Promise<Value> {
    if (!interactive) throw usageError(`${flag} is missing.`);
    try {
      return await prompt(await import('@inquirer/prompts'));
    } catch (error) {
      const canceled =
        error instanceof Error && /^(ExitPrompt|AbortPrompt|CancelPrompt)Error$/.test(error.name);
      throw canceled ? interruptedError() : error;
    }
  }

  return {
    interactive,
    text: (question) =>
      ask(question, ({ input }) =>
        input(
          {
            message: escapeControls(question.message),
            ...(question.default !== undefined && { default: question.default }),
            ...(question.validate && { validate: question.validate }),
          },
          createPromptContext(),
        ),
      ),
    secret: (question) =>
      ask(question, ({ password }) =>
        password(
          {
            message: escapeControls(question.message),
            mask: '*',
            ...(question.validate && { validate: question.validate }),
          },
          createPromptContext(),
        ),
      ),
    select: async (question) => {
      assertChoices(question);
      return ask(question, ({ select }) =>
        select(
          {
            message: escapeControls(question.message),
            choices: question.choices.map(toPrintableChoice),
            pageSize: 12,
          },
          createPromptContext(),
        ),
      );
    },
    selectSeveral: async (question) => {
      assertChoices(question);
      return ask(question, ({ checkbox }) =>
        checkbox(
          {
            message: escapeControls(question.message),
            choices: question.choices.map(toPrintableChoice),
            pageSize: 12,
            required: true,
          },
          createPromptContext(),
        ),
      );
    },
    confirm: (question) =>
      ask(question, ({ confirm }) =>
        confirm({ message: escapeControls(question.message), default: false }, createPromptContext()),
      ),
  };
}
