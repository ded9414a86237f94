import { Accordion, List } from '@mantine/core';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';

type Topic = { title: string; steps: readonly string[] };
type HelpProps = { of: keyof typeof notificationsTexts.help };

/** Steps to find and enter the values. */
export function Help({ of }: HelpProps) {
  return (
    <Accordion variant="separated" order={3}>
      {Object.entries<Topic>(notificationsTexts.help[of]).map(([topic, { title, steps }]) => (
        <Accordion.Item key={topic} value={topic}>
          <Accordion.Control>{title}</Accordion.Control>
          <Accordion.Panel>
            <List type="ordered" spacing="xs">
              {steps.map((step) => (
                <List.Item key={step}>{step}</List.Item>
              ))}
            </List>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
