"""How far pieces of data are apart: what one tells the model of the other.

`matrix` has the distances of two and of many; `joint_costs` measures what many pieces cost behind
the same one; `transformer` puts the distances behind the interface of scikit-learn.
"""
