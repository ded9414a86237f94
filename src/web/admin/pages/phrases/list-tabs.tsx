import { Badge, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { phraseListTexts as texts } from '../../../../texts/admin/phrases.ts';
import type { ListName } from '../../kit/phrase-list/lists.ts';

export const LISTS = ['frasi_pre_video', 'frasi'] as const;

type ListTabsProps = {
  open: ListName;
  onOpen: (list: ListName) => void;
  counts: Record<ListName, number>;
  renderList: (list: ListName) => ReactNode;
};

/** The two lists, one at a time. */
export function ListTabs({ open, onOpen, counts, renderList }: ListTabsProps) {
  return (
    <Tabs
      value={open}
      keepMounted={false}
      styles={{
        tab: { justifyContent: 'center', minHeight: '2.75rem', paddingInline: '0.5rem' },
        tabLabel: { flex: 'none' },
      }}
      onChange={(tab) => onOpen(LISTS.find((list) => list === tab) ?? open)}
    >
      <Tabs.List grow>
        {LISTS.map((list) => (
          <Tabs.Tab
            key={list}
            value={list}
            rightSection={
              <Badge variant="light" px="0.4rem" flex="none">
                {counts[list]}
              </Badge>
            }
          >
            {texts.tabs[list]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {LISTS.map((list) => (
        <Tabs.Panel key={list} value={list} pt="md">
          {renderList(list)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
