import type { ComponentChildren } from 'preact';
import type { ApplicationType } from '../../../../../src/contract/application-types.js';
import { type OperationId, operationOf } from '../../../../../src/contract/operations.js';
import { permissionsOfType } from '../../../../../src/contract/permissions.js';
import type { Resource } from '../../../../../src/contract/resources.js';
import type { Pagination } from '../../../../../src/contract/schemas/index.js';
import type { FormField, FormFields } from '../../components/field-values.js';
import type { Column } from '../../components/table.js';
import { useService } from '../../hooks/emulator.js';

export interface Item {
  id: string;
  name: string;
  created_at?: string | undefined;
  modified_at?: string | undefined;
}

/** How the page shows a resource, where that does not follow from its row. */
export interface ResourcePage<I extends Item = Item> {
  row: Resource;
  /** Columns of the list in addition to those of the row. */
  columns?: readonly Column<Item>[];
  /** The command that an empty list proposes. */
  command?: string;
  /** What the deletion of an object ends. */
  deletion?: string;
  /** What the page of an object shows in addition to its fields. */
  Detail?(props: { item: I }): ComponentChildren;
  /** What the list shows in addition to the objects. */
  Below?(): ComponentChildren;
  form?: Readonly<Record<string, Partial<FormField>>>;
  /** The fields of a new object that the form begins with, if they are not empty. */
  start?: Readonly<Record<string, unknown>>;
  /** Changes the body of the request that saves an object. */
  finish?(body: Record<string, unknown>, isNew: boolean): object;
}

const CONFIGURATION = { hint: 'One NAME=value per line. Shown here because you edit it.' };

/** The fields of the form of a resource. The type of an application limits its permissions. */
export const formFields = ({ row, form }: ResourcePage, isNew: boolean, type: unknown): FormFields =>
  Object.fromEntries(
    Object.entries(row.fields)
      .filter(([, { immutable }]) => isNew || !immutable)
      .map(([name, { suggest, ...field }]) => {
        const options = suggest === 'permission' ? permissionsOfType(type as ApplicationType) : suggest;
        const texts = { ...(name === 'configuration' && CONFIGURATION), ...form?.[name] };
        return [name, { ...field, ...(options && { options }), ...texts }];
      }),
  );

/** The client of the service, without the types that depend on the operation: those of a page are stated once, by its item. */
interface AnyClient {
  read<Body>(id: OperationId, input: object): Promise<Body>;
  call<Body>(id: OperationId, input: object): Promise<Body>;
}

type ItemPage<I> = { data: I[]; pagination: Pagination };

export function useOperations<I extends Item>({ row }: ResourcePage<I>) {
  const client = useService() as unknown as AnyClient;
  // PUT, which is the update of an application.
  const replace = row.verbs.includes('replace') ? 'replace' : 'update';
  return {
    list: (page: string) => client.read<ItemPage<I>>(operationOf(row, 'list'), { query: { page } }),
    get: (id: string) => client.read<I>(operationOf(row, 'get'), { path: { id } }),
    create: (body: object) => client.call<I>(operationOf(row, 'create'), { body }),
    replace: (id: string, body: object) => client.call<I>(operationOf(row, replace), { path: { id }, body }),
    remove: (id: string) => client.call(operationOf(row, 'delete'), { path: { id } }),
  };
}
