import { interruptedError, usageError } from '../lib/errors.js';

interface Question {
  message: string;
  /** What supplies the same without a prompt: `--name`, or `<id>`. */
  flag: string;
}

export interface TextQuestion extends Question {
  default?: string;
  /** True, or what is wrong with it. */
  validate?: (value: string) => true | string;
}

export interface Choice<Value> {
  name: string;
  value: Value;
  description?: string;
}

/** Questions on the terminal. Each is canceled by Ctrl-C, which ends the command. */
export interface Prompts {
  /** Whether there is someone to ask. */
  readonly interactive: boolean;
  text(question: TextQuestion): Promise<string>;
  /** What is typed is not shown. */
  secret(question: TextQuestion): Promise<string>;
  select<Value>(question: Question & { choices: readonly Choice<Value>[] }): Promise<Value>;
  /** No by default. */
  confirm(question: Question): Promise<boolean>;
}

/** Prompts go to stderr: stdout is for data. */
export function createPrompts(interactive: boolean, signal: AbortSignal): Prompts {
  const context = { output: process.stderr, signal, clearPromptOnDone: false };

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
            message: question.message,
            ...(question.default !== undefined && { default: question.default }),
            ...(question.validate && { validate: question.validate }),
          },
          context,
        ),
      ),
    secret: (question) =>
      ask(question, ({ password }) =>
        password(
          {
            message: question.message,
            mask: '*',
            ...(question.validate && { validate: question.validate }),
          },
          context,
        ),
      ),
    select: (question) =>
      ask(question, ({ select }) =>
        select({ message: question.message, choices: [...question.choices], pageSize: 12 }, context),
      ),
    confirm: (question) =>
      ask(question, ({ confirm }) => confirm({ message: question.message, default: false }, context)),
  };
}
