import type { Exchanges } from "./exchanges";

export const DOCUMENTS_EXCHANGES: Exchanges = [
  {
    prompt: "Extract parties, term and notice period from the contract below.",
    answer:
      '{"parties": ["Northwind Freight Ltd", "Example Holding AG"], "term": "24 months", "notice_period": "3 months", "liability_cap": null}',
    document: "contract",
  },
  {
    prompt: "Translate this safety notice into plain English, keeping the numbering.",
    answer:
      "1. Switch the machine off before you open the cover.\n2. Wait until the red light is off.\n3. Wear gloves.",
  },
  {
    prompt: "List every amount with its currency and what it is for.",
    answer: "EUR 12,400.00 for licenses\nEUR 1,860.00 for onboarding\nEUR 320.00 for travel",
    document: "contract",
  },
  {
    prompt: "Does this addendum change the liability cap? Quote the sentence.",
    answer:
      "Yes: “The aggregate liability under this agreement shall not exceed the fees paid in the preceding twelve months.”",
    document: "contract",
  },
];

export const EVALUATION_EXCHANGES: Exchanges = [
  {
    prompt: "Which of the two answers follows the instruction more closely? Answer A or B.",
    answer: "A",
    document: "thread",
  },
  {
    prompt: "Solve step by step: a train leaves at 9:40 and needs 2 h 35 min. When does it arrive?",
    answer: "9:40 plus two hours is 11:40; plus 35 minutes is 12:15.",
  },
  {
    prompt: "List three ways in which this prompt could be misread.",
    answer: "“Last” may mean final or previous; “seat” may mean a chair; the date has no year.",
  },
  {
    prompt: "Grade the summary from 1 to 5 for faithfulness and say why.",
    answer: "4. It states every decision, but calls the deadline “soon” where the text has a date.",
    document: "thread",
  },
];

export const LABEL_EXCHANGES: Exchanges = [
  { prompt: "Label the review as delivery, price, quality or other: it came a week late.", answer: "delivery" },
  { prompt: "Label the review as delivery, price, quality or other: the handle broke on day two.", answer: "quality" },
  { prompt: "Label the review as delivery, price, quality or other: fair for what it costs.", answer: "price" },
  {
    prompt: "Suggest five reasons for churn from these exit answers.",
    answer: "Missing integration, price after the first year, slow exports, a change of owner, too many seats.",
    document: "thread",
  },
  {
    prompt: "Write SQL for weekly active accounts per plan.",
    answer:
      "SELECT plan, date_trunc('week', at) AS week, count(DISTINCT account_id) FROM events JOIN accounts USING (account_id) GROUP BY 1, 2;",
  },
  {
    prompt: "Name the outliers in this list and say what could explain them.",
    answer: "Rows 14 and 31: both are from the day of the migration, when amounts were stored in cents.",
    document: "log",
  },
];
