import { Accordion, List } from '@mantine/core';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';

const TOPICS = Object.entries(notificationsTexts.help);

/** How to get a bot and find a chat, step by step. */
export function Help() {
  return (
    <Accordion variant="separated" order={3}>
      {TOPICS.map(([topic, { title, steps }]) => (
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
