import { useResource } from '../hooks/resource.js';
import { useService } from '../hooks/workbench.js';
import { Select } from './fields.js';

interface ApplicationSelectProps {
  value: string;
  onChange: (id: string) => void;
  hint: string;
}

/** Chooses the public or private application that code runs with, or none. */
export function ApplicationSelect({ value, onChange, hint }: ApplicationSelectProps) {
  const service = useService();
  const applications = useResource(
    () => service.read('applications.list', { query: { size: 100 } }),
    [service],
  );
  const options = (applications.value?.data ?? [])
    .filter(({ type }) => type !== 'management')
    .map(({ id, name, type }) => [id, `${name} (${type})`] as const);
  return (
    <Select
      label="Application"
      value={value}
      onChange={onChange}
      hint={hint}
      options={[['', 'none'], ...options]}
    />
  );
}
