import { operationRow } from '../contract/operations.js';
import type { CommandRow } from './command.js';

/** The permission a command needs, as the contract states it. */
export function permissionText(row: CommandRow): string[] {
  return (row.operations ?? []).map((id) => {
    const { permission, method, path } = operationRow(id);
    return `${permission ?? 'any key'} (${method} ${path})`;
  });
}

/** What follows the options in a command's help text: permissions and examples. */
export function helpText(row: CommandRow): string {
  const sections: string[] = [];
  const permissions = permissionText(row);
  if (permissions.length > 0)
    sections.push(`Permissions:\n${permissions.map((text) => `  ${text}`).join('\n')}`);
  const examples = row.examples.map(({ does, command }) => `  # ${does}\n  ${command}`);
  if (examples.length > 0) sections.push(`Examples:\n${examples.join('\n\n')}`);
  return sections.map((section) => `\n${section}`).join('\n');
}
