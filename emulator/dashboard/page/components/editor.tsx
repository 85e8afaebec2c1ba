import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApplicationType } from '../../../../src/contract/application-types.js';
import { isObject } from '../../../../src/contract/json.js';
import { permissionsOfType } from '../../../../src/contract/permissions.js';
import { formatJson } from '../format.js';
import {
  bodyOf,
  type EditorField,
  type EditorFields,
  type Inputs,
  inputsOf,
  labelOf,
} from './field-values.js';
import { ApplicationSelect, Checkbox, CheckboxGroup, Select, TextField } from './fields.js';
import { Form, parseJson } from './form.js';

export interface EditorProps {
  label: string;
  /** The text of its button. */
  submit: string;
  fields: EditorFields;
  /** The fields of an object, or those that a new one begins with. */
  values: Readonly<Record<string, unknown>>;
  /** @throws RequestError, which is shown in the form */
  save(body: Record<string, unknown>): Promise<unknown>;
  /** Where Cancel leads. */
  cancel?: string;
  /** What it has besides the fields. */
  Extra?(props: { inputs: Inputs; set: SetInput }): ComponentChildren;
}

export type SetInput = (name: string, value: Inputs[string]) => void;

/** Edits an object as a form that follows from its fields, or as the JSON that the form would send. */
export function Editor({ label, submit, fields, values, save, cancel, Extra }: EditorProps) {
  const [inputs, setInputs] = useState<Inputs>(() => inputsOf(fields, values));
  const [json, setJson] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const set: SetInput = (name, value) => setInputs((others) => ({ ...others, [name]: value }));

  const readJson = (): Record<string, unknown> => {
    const body = parseJson('JSON', json ?? '');
    if (!isObject(body)) throw new Error('JSON must be an object: { … }.');
    return body;
  };
  const toggle = () => {
    try {
      if (json === undefined) setJson(formatJson(bodyOf(fields, inputs)));
      else setInputs(inputsOf(fields, readJson()));
      setProblem(undefined);
      if (json !== undefined) setJson(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <Form
      label={label}
      submit={submit}
      onSubmit={async () => save(json === undefined ? bodyOf(fields, inputs) : readJson())}
      actions={
        <>
          <button type="button" onClick={toggle}>
            {json === undefined ? 'As JSON' : 'As a form'}
          </button>
          {cancel && (
            <a class="button" href={cancel}>
              Cancel
            </a>
          )}
        </>
      }
    >
      {json === undefined ? (
        Object.entries(fields).map(([name, field]) => (
          <Field
            key={name}
            name={name}
            field={field}
            input={inputs[name] ?? ''}
            type={inputs.type ?? values.type}
            set={(value) => set(name, value)}
          />
        ))
      ) : (
        <TextField label="JSON" rows={18} value={json} onChange={setJson} />
      )}
      {json === undefined && Extra && <Extra inputs={inputs} set={set} />}
      {problem && <p class="error">{problem}</p>}
    </Form>
  );
}

const ROWS: { readonly [K in EditorField['kind']]?: number } = {
  code: 18,
  rules: 12,
  transform: 6,
  json: 6,
  map: 3,
  lines: 2,
};

interface FieldProps {
  name: string;
  field: EditorField;
  input: Inputs[string];
  /** The type of an application, which limits its permissions. */
  type: unknown;
  set: (value: Inputs[string]) => void;
}

function Field({ name, field, input, type, set }: FieldProps) {
  const { kind, required = false, suggest = [], hint, rows = ROWS[kind], placeholder = '' } = field;
  const label = labelOf(name, field);
  const options = suggest === 'permission' ? permissionsOfType(type as ApplicationType) : suggest;
  const text = { label, hint, value: String(input), onChange: set };
  if (kind === 'boolean') return <Checkbox label={label} checked={input === true} onChange={set} />;
  if (kind === 'names')
    return <CheckboxGroup label={label} options={options} chosen={input as string[]} onChange={set} />;
  if (kind === 'application') return <ApplicationSelect {...text} />;
  if (options.length > 0) return <Select {...text} options={options} />;
  return (
    <TextField
      {...text}
      {...(rows !== undefined && { rows })}
      type={kind === 'url' ? kind : 'text'}
      mono={kind === 'words'}
      placeholder={placeholder}
      required={required && kind !== 'map'}
    />
  );
}
