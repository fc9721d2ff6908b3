"""``python -m grpo_symbolic``: the same as the command ``grpo-symbolic``."""

from grpo_symbolic.cli import main

if __name__ == "__main__":
    main()
