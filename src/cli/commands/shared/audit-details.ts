/** Describes how data was shown, or the fields that changed: `mask; changed metadata`. */
export function describeAuditDetails({
  transform,
  changed,
}: {
  transform?: string | undefined;
  changed?: string[] | undefined;
}): string {
  return [transform, changed?.length && `changed ${changed.join(', ')}`].filter(Boolean).join('; ');
}
