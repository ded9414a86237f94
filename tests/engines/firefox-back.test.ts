import { backAtEveryStage } from './evenings.ts';
import { firefox } from './support/firefox.ts';

backAtEveryStage(firefox);
