import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './records-table.module.css';

export type Column<Row> = {
  key: string;
  title: string;
  /** True for the cell that names the row. */
  lead?: boolean;
  cell: (row: Row) => ReactNode;
};

type RecordsTableProps<Row> = {
  /** Name of the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
};

/**
 * A table, or one card per row in a narrow container, with the same elements. Roles are explicit because browsers drop a table's
 * roles when its CSS display changes.
 */
export function RecordsTable<Row>({ label, columns, rows, rowKey }: RecordsTableProps<Row>) {
  return (
    <div className={styles.room}>
      <Paper withBorder className={styles.paper}>
        <Table role="table" aria-label={label} className={styles.table} verticalSpacing="sm">
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ key, title }) => (
                <Table.Th key={key} role="columnheader" scope="col">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <Record key={rowKey(row)} row={row} columns={columns} />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </div>
  );
}

function Record<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <Table.Tr role="row">
      {columns.map(({ key, title, lead, cell }) =>
        lead ? (
          <Table.Th key={key} role="rowheader" scope="row" className={styles.lead}>
            {cell(row)}
          </Table.Th>
        ) : (
          <Table.Td key={key} role="cell">
            <span aria-hidden className={styles.label}>
              {title}
            </span>
            <div className={styles.value}>{cell(row)}</div>
          </Table.Td>
        ),
      )}
    </Table.Tr>
  );
}
