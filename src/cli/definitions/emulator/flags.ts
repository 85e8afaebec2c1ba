/** Limits a command to one tenant of the emulator. */
export const TENANT_FLAG = {
  value: 'ID',
  description: 'only this tenant, instead of the whole emulator',
} as const;
