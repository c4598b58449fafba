-- A type of its own for generations would rewrite the log, and processes of the previous version couldn't insert into it.
ALTER TYPE "protocol" ADD VALUE 'completions';
ALTER TYPE "protocol" ADD VALUE 'embeddings';
