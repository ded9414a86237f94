import { QuestionsPage } from './questions-page.tsx';
import { ReceivedAnswers } from './received-answers.tsx';

/** The first trip's questions, and the answers received to those of both (spec 2 «Questions pages»). */
export function Page() {
  return <QuestionsPage path="/admin/checkbox" viaggio={1} below={<ReceivedAnswers />} />;
}
