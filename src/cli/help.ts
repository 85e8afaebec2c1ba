import { operationRow } from '../contract/operations.js';
import type { CommandRow } from './command.js';

/** Lists the permissions that a command needs, from the contract: `token:read (GET /tokens/{id})`. */
export function permissionText(row: CommandRow): string[] {
  return (row.operations ?? []).map((id) => {
    const { permission, method, path } = operationRow(id);
    return `${permission ?? 'any key'} (${method} ${path})`;
  });
}

/** Formats the end of a command's help text: permissions and examples. */
export function helpText(row: CommandRow): string {
  const sections: string[] = [];
  const permissions = permissionText(row);
  if (permissions.length > 0)
    sections.push(`Permissions:\n${permissions.map((text) => `  ${text}`).join('\n')}`);
  const examples = row.examples.map(({ does, command }) => `  # ${does}\n  ${command}`);
  if (examples.length > 0) sections.push(`Examples:\n${examples.join('\n\n')}`);
  return sections.map((section) => `\n${section}`).join('\n');
}
