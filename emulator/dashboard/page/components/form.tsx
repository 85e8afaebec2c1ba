import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isObject } from '../../../../src/contract/json.js';
import { formatJson } from '../format.js';
import { useResource, useService } from '../hooks/emulator.js';
import { Editor } from './code.js';
import type { EditorOptions } from './editor.js';
import type { FormField, FormFields, FormKind, Inputs, Option } from './field-values.js';
import { bodyOf, inputsOf, labelOf, parseJson } from './field-values.js';
import { ErrorState, Panel } from './page.js';

const ROWS: { readonly [K in FormKind]?: number } = {
  code: 18,
  rules: 12,
  transform: 6,
  json: 6,
  expression: 6,
  map: 3,
  lines: 2,
};

const LANGUAGES: { readonly [K in FormKind]?: EditorOptions['language'] } = {
  code: 'javascript',
  transform: 'javascript',
  json: 'json',
  rules: 'json',
  expression: 'json',
};

const INPUT_TYPES: readonly FormKind[] = ['url', 'password', 'search'];

interface FieldProps extends Partial<Omit<FormField, 'required'>> {
  label: string;
  name?: string;
  value: string;
  onChange: (value: string) => void;
  required?: boolean | undefined;
}

/** A label, and the input, editor or choice that it names, with its hint. */
export function Field({ kind = 'text', label, hint, onChange, rows = ROWS[kind], ...props }: FieldProps) {
  const { options, mono, name, value, placeholder = '', required = false } = props;
  const id = useId();
  const described = hint ? { 'aria-describedby': `${id}-hint` } : {};
  const shared = {
    ...{ id, name, value, ...described },
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  const typed = { ...shared, placeholder, required: required && kind !== 'map', spellcheck: false };
  const language = LANGUAGES[kind];
  const type = (INPUT_TYPES.includes(kind) ? kind : 'text') as 'text';
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...shared}>
          {options.map((option) => {
            const [key, text] = typeof option === 'string' ? [option, option] : option;
            return (
              <option key={key} value={key} selected={key === value}>
                {text}
              </option>
            );
          })}
        </select>
      ) : rows === undefined ? (
        <input {...typed} type={type} autocomplete="off" class={mono ? 'mono' : undefined} />
      ) : language === undefined ? (
        <textarea {...typed} class="mono" rows={rows} />
      ) : (
        <Editor
          text={value}
          onChange={onChange}
          language={language}
          rows={rows}
          hint={placeholder}
          attributes={{ 'aria-label': label, ...described }}
        />
      )}
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </div>
  );
}

interface CheckboxProps {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const Checkbox = ({ label, checked, onChange }: CheckboxProps) => (
  <label class="row check">
    <input
      type="checkbox"
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {label}
  </label>
);

type SetInput = (name: string, value: Inputs[string]) => void;

interface FormProps<Body> {
  label: string;
  submit: string;
  /** Its fields, which may depend on what is typed. */
  fields: FormFields | ((inputs: Inputs) => FormFields);
  /** What it begins with: the fields of an object, or those of a new one. */
  values?: Readonly<Record<string, unknown>>;
  /** Sends what was typed. A failure is shown in the form, and what was typed stays. */
  save(body: Body): Promise<unknown>;
  cancel?: string;
  /** The body can be edited as JSON too. */
  withJson?: boolean;
  /** What follows the fields. */
  extra?(inputs: Inputs, set: SetInput): ComponentChildren;
  class?: string;
}

/** A form that sends its fields by its button, Enter in a field, or Ctrl+Enter in an editor. */
export function Form<Body>(props: FormProps<Body>) {
  const { label, submit, fields, values = {}, save, cancel, withJson, extra } = props;
  const fieldsFor = (inputs: Inputs) => (typeof fields === 'function' ? fields(inputs) : fields);
  const [inputs, setInputs] = useState<Inputs>(() => inputsOf(fieldsFor(values as Inputs), values));
  const [json, setJson] = useState<string | undefined>();
  const [error, setError] = useState<Error | undefined>();
  const [isBusy, setBusy] = useState(false);
  const set: SetInput = (name, value) => setInputs((others) => ({ ...others, [name]: value }));
  const shown = fieldsFor(inputs);

  async function attempt(action: () => Promise<unknown>) {
    if (isBusy) return;
    setError(undefined);
    setBusy(true);
    await action().catch(setError);
    setBusy(false);
  }
  const readBody = (): Record<string, unknown> => {
    if (json === undefined) return bodyOf(shown, inputs);
    const body = parseJson('JSON', json);
    if (!isObject(body)) throw new Error('JSON must be an object: { … }.');
    return body;
  };
  const toggle = async () => {
    const body = readBody();
    if (json !== undefined) setInputs(inputsOf(shown, body));
    setJson(json === undefined ? formatJson(body) : undefined);
  };
  return (
    <form
      class={`form ${props.class ?? ''}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(async () => save(readBody() as Body));
      }}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit();
      }}
    >
      {json !== undefined ? (
        <Field label="JSON" kind="json" rows={18} value={json} onChange={setJson} />
      ) : (
        Object.entries(shown).map(([name, field]) => (
          <FormInput key={name} name={name} field={field} input={inputs[name] ?? ''} set={set} />
        ))
      )}
      {json === undefined && extra?.(inputs, set)}
      {error && <ErrorState error={error} />}
      <div class="row">
        <button type="submit" aria-disabled={isBusy}>
          {submit}
        </button>
        {withJson && (
          <button type="button" onClick={() => attempt(toggle)}>
            {json === undefined ? 'As JSON' : 'As a form'}
          </button>
        )}
        {cancel && (
          <a class="button" href={cancel}>
            Cancel
          </a>
        )}
      </div>
    </form>
  );
}

export const FormPanel = <Body,>(form: FormProps<Body>) => (
  <Panel title={form.label}>
    <Form {...form} />
  </Panel>
);

interface FormInputProps {
  name: string;
  field: FormField;
  input: Inputs[string];
  set: SetInput;
}

function FormInput({ name, field, input, set }: FormInputProps) {
  const { kind, options } = field;
  const label = labelOf(name, field);
  if (kind === 'boolean')
    return <Checkbox label={label} checked={input === true} onChange={(isOn) => set(name, isOn)} />;
  if (kind === 'names') return <Names name={name} label={label} options={options} input={input} set={set} />;
  const Kind = kind === 'application' ? ApplicationField : Field;
  const change = (text: string) => set(name, text);
  return <Kind {...field} name={name} label={label} value={String(input)} onChange={change} />;
}

interface NamesProps extends Omit<FormInputProps, 'field'> {
  label: string;
  options: readonly Option[] | undefined;
}

export function Names({ name, label, options = [], input, set }: NamesProps) {
  const chosen = input as readonly string[];
  return (
    <fieldset>
      <legend>{label}</legend>
      <div class="checks">
        {options.map(String).map((one) => (
          <Checkbox
            key={one}
            label={one}
            checked={chosen.includes(one)}
            onChange={(isOn) => set(name, isOn ? [...chosen, one] : chosen.filter((other) => other !== one))}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Chooses the public or private application that code runs with, or none. */
function ApplicationField(props: FieldProps) {
  const service = useService();
  const applications = useResource(() => service.read('applications.list', { query: { size: 100 } }), []);
  const options = (applications.value?.data ?? [])
    .filter(({ type }) => type !== 'management')
    .map(({ id, name, type }) => [id, `${name} (${type})`] as const);
  return <Field {...props} options={[['', 'none'], ...options]} />;
}
