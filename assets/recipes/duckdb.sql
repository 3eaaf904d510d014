-- Questions to a corpus in DuckDB, over the tables that turnwise writes:
--   turnwise export tables corpus/ -o tables/
--   duckdb < duckdb.sql

CREATE VIEW turns AS FROM read_json('tables/turns.jsonl');
CREATE VIEW segments AS FROM read_json('tables/segments.jsonl');
CREATE VIEW votes AS FROM read_json('tables/votes.jsonl');
CREATE VIEW problems AS FROM read_json('tables/problems.jsonl');

-- The labels, with the number of dialogs that have them and an example of each.
SELECT label, count(*) AS segments, count(DISTINCT (file, dialog)) AS dialogs, min(text) AS example
FROM segments GROUP BY label ORDER BY segments DESC, label;

-- The problems of each rule.
SELECT rule, count(*) AS problems FROM problems GROUP BY rule ORDER BY problems DESC, rule;

-- The votes of each annotator.
SELECT annotator, count(*) AS votes, count(*) FILTER (label = 'X') AS breakdowns
FROM votes GROUP BY annotator ORDER BY votes DESC, annotator;

-- The system turns that most annotators call a breakdown, with their texts.
SELECT t.dialog_id, turn, avg((v.label = 'X')::int) AS share, any_value(t.text) AS text
FROM votes v JOIN turns t USING (file, dialog, turn)
GROUP BY t.file, t.dialog, t.dialog_id, turn HAVING share > 0.5 ORDER BY share DESC, t.dialog_id, turn;
