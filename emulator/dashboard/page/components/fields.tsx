import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useResource } from '../hooks/resource.js';
import { useService } from '../hooks/workbench.js';

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What is accepted. */
  hint?: ComponentChildren;
  error?: string | undefined;
  required?: boolean;
  placeholder?: string;
}

interface FrameProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  children: (attributes: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
  }) => ComponentChildren;
}

/** A label, the input that is rendered for it, its hint and its error. */
function Frame({ label, hint, error, children }: FrameProps) {
  const id = useId();
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(notes && { 'aria-describedby': notes }), ...(error && { 'aria-invalid': true }) })}
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
      {error && (
        <small id={`${id}-error`} class="error">
          {error}
        </small>
      )}
    </div>
  );
}

/** The attribute of each type in an object of its own, which its type in Preact is by. */
const INPUT_TYPES = {
  text: { type: 'text' },
  search: { type: 'search' },
  password: { type: 'password' },
  number: { type: 'number' },
  url: { type: 'url' },
} as const;

interface TextFieldProps extends FieldProps {
  type?: keyof typeof INPUT_TYPES;
  mono?: boolean;
  /** Lines of an editor of code or JSON. */
  rows?: number;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, onChange, type = 'text', mono, rows, ...rest } = props;
  const change = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);
  const shared = { autocomplete: 'off', spellcheck: false, onInput: change } as const;
  return (
    <Frame label={label} hint={hint} error={error}>
      {(attributes) =>
        rows === undefined ? (
          <input
            {...attributes}
            {...rest}
            {...INPUT_TYPES[type]}
            {...shared}
            class={mono ? 'mono' : undefined}
          />
        ) : (
          <textarea {...attributes} {...rest} {...shared} class="mono" rows={rows} />
        )
      }
    </Frame>
  );
}

interface SelectProps extends Omit<FieldProps, 'placeholder' | 'required'> {
  /** Values and their names; a text is both. */
  options: readonly (string | readonly [value: string, name: string])[];
}

export function Select({ label, hint, error, value, onChange, options }: SelectProps) {
  return (
    <Frame label={label} hint={hint} error={error}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {options.map((option) => {
            const [key, name] = typeof option === 'string' ? [option, option] : option;
            return (
              <option key={key} value={key} selected={key === value}>
                {name}
              </option>
            );
          })}
        </select>
      )}
    </Frame>
  );
}

interface CheckboxProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface CheckboxGroupProps {
  label: string;
  options: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Chooses any of several names. */
export function CheckboxGroup({ label, options, chosen, onChange }: CheckboxGroupProps) {
  const toggle = (name: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((one) => one !== name));
  return (
    <fieldset>
      <legend>{label}</legend>
      <div class="checks">
        {options.map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={chosen.includes(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}

type ApplicationSelectProps = Pick<FieldProps, 'value' | 'onChange' | 'hint'>;

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
  const props = { label: 'Application', value, onChange, hint };
  return <Select {...props} options={[['', 'none'], ...options]} />;
}
