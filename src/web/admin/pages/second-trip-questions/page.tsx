import { QuestionsPage } from '../questions/questions-page.tsx';

/** The second trip's questions (spec 2 «Questions pages»). */
export function Page() {
  return <QuestionsPage path="/admin/second-trip-checkbox" viaggio={2} />;
}
